/* SPDX-License-Identifier: MIT */
/* What follows from the files of struct options and the table of reports. Reports alone keep
 * the trace from being written, unless an option says where to. */
#include "cli/report_options.h"

#include "cli/report_names.h"

const char *options_report_output(const struct options *options, enum report_kind kind)
{
    const char *file = options->reports[kind];
    return file && report_class_of(kind, &options->report)->reads ? "-" : file;
}

const char *options_shared_table(const struct options *options)
{
    const char *file = options->reports[REPORT_STATS];
    bool is_table = file && options->report.stats_format == FORMAT_TSV;
    return is_table && options->trace_count > 1 && !report_name_is_made(file) ? file : NULL;
}

bool options_want_reports(const struct options *options)
{
    for (size_t i = 0; i < REPORT_COUNT; i++)
        if (options->reports[i])
            return true;
    return false;
}

unsigned options_report_needs(const struct options *options)
{
    unsigned needs = 0;
    for (unsigned i = 0; i < REPORT_COUNT; i++)
        if (options->reports[i])
            needs |= report_class_of((enum report_kind)i, &options->report)->needs;
    return needs;
}

bool options_need_table(const struct options *options)
{
    bool needs = options->renumber;
    for (unsigned i = 0; i < REPORT_COUNT; i++)
        if (options->reports[i])
            needs |= !report_class_stored((enum report_kind)i, &options->report);
    return needs;
}

bool options_output_is_report(const struct options *options)
{
    return options->command == COMMAND_COMPARE || options->command == COMMAND_VALIDATE;
}

bool options_write_trace(const struct options *options)
{
    return options->output || options->suffix || options->in_place ||
           !options_want_reports(options);
}
