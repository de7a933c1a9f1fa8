/* SPDX-License-Identifier: MIT */
/* Answers questions about outputs from struct options and the table of reports. If reports are
 * asked for, the trace is written only if an option says where. */
#include "cli/options/options.h"

#include "cli/files/report_names.h"

#include <string.h>

const char *options_report_output(const struct options *options, enum report_kind kind)
{
    const char *file = options->reports[kind];
    return file && report_class_of(kind, &options->report)->reads ? "-" : file;
}

bool options_have_moments(const struct options *options, enum report_kind kind)
{
    return report_has_moments(report_class_of(kind, &options->report)) && options->report.at &&
           strchr(options->report.at, ',');
}

/* The one file for the table of matches; NULL: each trace has a file of its own, or there is no
 * table. */
static const char *shared_matches(const struct options *options)
{
    const char *file = options->output ? options->output : "-";
    bool is_shared = options->format == FORMAT_TSV && options->trace_count > 1;
    return is_shared && !report_name_is_made(file) ? file : NULL;
}

const char *options_shared_table(const struct options *options)
{
    if (options->command == COMMAND_MATCH)
        return shared_matches(options);
    const char *file = options->reports[REPORT_STATS];
    bool is_table = file && options->report.stats_format == FORMAT_TSV;
    bool is_shared =
        options->trace_count > 1 || (options->skip_existing && options->trace_count == 1);
    return is_table && is_shared && !report_name_is_made(file) ? file : NULL;
}

bool options_want_reports(const struct options *options)
{
    for (size_t i = 0; i < REPORT_COUNT; i++)
        if (options->reports[i])
            return true;
    return false;
}

bool options_any_report(const struct options *options,
                        bool (*has)(const struct report_class *methods))
{
    for (unsigned i = 0; i < REPORT_COUNT; i++)
        if (options->reports[i] && has(report_class_of((enum report_kind)i, &options->report)))
            return true;
    return false;
}

bool options_output_is_report(const struct options *options)
{
    return options->command == COMMAND_COMPARE || options->command == COMMAND_VALIDATE ||
           options->command == COMMAND_MATCH;
}

bool options_trace_to_standard_output(const struct options *options)
{
    return !options->suffix && !options->in_place && is_standard_stream(options->output);
}

bool options_report_to_standard_output(const struct options *options, bool is_table)
{
    for (unsigned i = 0; i < REPORT_COUNT; i++) {
        enum report_kind kind = (enum report_kind)i;
        const char *output = options_report_output(options, kind);
        if (output && is_standard_stream(output) &&
            (!is_table || report_class_of(kind, &options->report)->is_table))
            return true;
    }
    return false;
}

bool options_write_trace(const struct options *options)
{
    return options->command == COMMAND_MATCH || options->output || options->suffix ||
           options->in_place || !options_want_reports(options);
}
