/* SPDX-License-Identifier: MIT */
/* Checks that each output has a place and, where there are several traces or moments, a name of
 * its own. Messages quote the command line as it should be. */
#include "cli/files/outputs.h"

#include "cli/options/option_table.h"
#include "io/path.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static enum status check_verify(const struct options *options, struct failure *why)
{
    if (!options->verify || !outputs_trace_is_standard(options))
        return STATUS_OK;
    return fail(why, STATUS_MEANING,
                "--verify reads the output back: it needs --output, --suffix or --in-place");
}

/* Checks that there is a file for each of the moments of --at. */
static enum status check_moments(const struct options *options, struct failure *why)
{
    for (unsigned i = 0; i < REPORT_COUNT; i++) {
        const char *file = options->reports[i];
        const char *name = options_report_name((enum report_kind)i);
        if (file && outputs_have_moments(options, (enum report_kind)i) &&
            !output_name_is_made(file))
            return fail(why, STATUS_MEANING,
                        "--%s would write one report for the moments %s: say --%s=FILE with a "
                        "%% in FILE, which stands for the name of the trace and the moment",
                        name, options->report.at.list, name);
    }
    return STATUS_OK;
}

/* Checks that at most one output goes to standard output. */
static enum status check_standard_output(const struct options *options, struct failure *why)
{
    bool has_trace = options_write_trace(options) && outputs_trace_is_standard(options);
    const char *taken = has_trace ? "output" : NULL;
    for (unsigned i = 0; i < REPORT_COUNT; i++) {
        const char *output = outputs_report_path(options, (enum report_kind)i);
        if (!output || !is_standard_stream(output))
            continue;
        const char *name = options_report_name((enum report_kind)i);
        if (report_class_of((enum report_kind)i, &options->report)->is_folder)
            return fail(why, STATUS_MEANING, "--%s writes a folder, not to standard output",
                        name);
        if (taken)
            return fail(why, STATUS_MEANING,
                        "--%s and --%s cannot both write to standard output", taken, name);
        taken = name;
    }
    return STATUS_OK;
}

static enum status check_places(const struct options *options, struct failure *why)
{
    TRY(check_verify(options, why));
    TRY(check_moments(options, why));
    return check_standard_output(options, why);
}

/* Checks that each output has a name, so that it can be seen whether it exists. */
static enum status check_skipping(const struct options *options, struct failure *why)
{
    const char *name = NULL;
    if (!options->skip_existing)
        return STATUS_OK;
    if (options_write_trace(options) && outputs_trace_is_standard(options))
        return fail(why, STATUS_MEANING,
                    "--skip-existing needs files: the trace would go to standard output; say "
                    "--output or --suffix");
    for (unsigned i = 0; i < REPORT_COUNT && !name; i++) {
        const char *output = outputs_report_path(options, (enum report_kind)i);
        if (output && is_standard_stream(output))
            name = options_report_name((enum report_kind)i);
    }
    if (!name)
        return STATUS_OK;
    return fail(why, STATUS_MEANING,
                "--skip-existing needs files: --%s would go to standard output", name);
}

/* Whether the first trace may have been meant as the file of `option`: that was left out, and
 * no such trace exists. */
static bool may_be_file_of(const struct options *options, const char *option, const char *file)
{
    struct stat facts;
    const struct option_row *row = option_find(option);
    const char *trace = options->trace_count > 0 ? options->traces[0] : NULL;
    return row->is_optional && strcmp(file, row->left_out) == 0 && !is_standard_stream(trace) &&
           stat(trace, &facts) != 0 && errno == ENOENT;
}

/* Checks that with several traces, the file of `option` has a name for each. */
static enum status check_report_name(const struct options *options, const char *option,
                                     const char *file, struct failure *why)
{
    if (options->trace_count < 2 || output_name_is_made(file))
        return STATUS_OK;
    if (may_be_file_of(options, option, file))
        return fail(why, STATUS_MEANING,
                    "--%s would write one report for \"%s\" and \"%s\": to write it to a file, "
                    "say --%s=%s; for several traces say --%s=FILE with a %% in FILE, which "
                    "stands for the name of the trace",
                    option, options->traces[0], options->traces[1], option, options->traces[0],
                    option);
    return fail(why, STATUS_MEANING,
                "--%s would write one report for \"%s\" and \"%s\": say --%s=FILE with a %% in "
                "FILE, which stands for the name of the trace",
                option, options->traces[0], options->traces[1], option);
}

/* Checks that the only trace was not meant as the file of --stats, as a word of its own. */
static enum status check_only_trace(const struct options *options, struct failure *why)
{
    const char *stats = options->reports[REPORT_STATS];
    if (options->trace_count != 1 || !stats || !may_be_file_of(options, "stats", stats))
        return STATUS_OK;
    return fail_at(
        why, STATUS_MEANING, options->traces[0], 0,
        "There is no such trace; to write the statistics to a file of this name, say "
        "--stats=%s TRACE",
        options->traces[0]);
}

/* Checks that a report has a name for each of several traces. The file of one that reads it is
 * about one trace. */
static enum status check_output_name(const struct options *options, enum report_kind kind,
                                     struct failure *why)
{
    const char *output = outputs_report_path(options, kind);
    const char *name = options_report_name(kind);
    if (!output || output == outputs_shared_table(options))
        return STATUS_OK;
    if (options->trace_count > 1 && report_class_of(kind, &options->report)->reads)
        return fail(why, STATUS_MEANING,
                    "--%s is for one trace, but \"%s\" and \"%s\" are given", name,
                    options->traces[0], options->traces[1]);
    return check_report_name(options, name, output, why);
}

/* Checks that tables of --compare do not follow each other in one output: their rows do not
 * name the trace. */
static enum status check_compared_tables(const struct options *options, struct failure *why)
{
    bool is_one_file = !options->output || !output_name_is_made(options->output);
    if (options->command != COMMAND_COMPARE || options->format != FORMAT_TSV ||
        options->trace_count < 2 || !is_one_file)
        return STATUS_OK;
    return fail(why, STATUS_MEANING,
                "The tables of \"%s\" and \"%s\" would follow each other, and their rows do "
                "not name the trace: say --output=FILE with a %% in FILE, which stands for the "
                "name of the trace",
                options->traces[0], options->traces[1]);
}

/* Checks that options about a form of --stats are for the form that it has. */
static enum status check_stats_form(const struct options *options, struct failure *why)
{
    bool is_table = options->report.stats_format == FORMAT_TSV;
    if (options->report.chooses_rankings && is_table)
        return fail(why, STATUS_MEANING,
                    "--top and --min-count are for rankings, which the table of --stats does "
                    "not have");
    if (options->report.no_header && !is_table)
        return fail(
            why, STATUS_MEANING,
            "--no-header is for the table of --stats: say --format=tsv, or --stats=FILE "
            "with a FILE that ends in .tsv");
    return STATUS_OK;
}

/* Checks that each report on each trace has a name; first those that may have been given
 * without a file. */
static enum status check_names(const struct options *options, struct failure *why)
{
    const char *table = outputs_shared_table(options);
    const char *stats = options->reports[REPORT_STATS];
    TRY(check_compared_tables(options, why));
    TRY(check_stats_form(options, why));
    if (options_output_is_report(options) && options->output != table &&
        !is_standard_stream(options->output))
        TRY(check_report_name(options, "output", options->output, why));
    TRY(check_only_trace(options, why));
    if (stats && stats != table)
        TRY(check_report_name(options, "stats", stats, why));
    for (unsigned i = 0; i < REPORT_COUNT; i++)
        TRY(check_output_name(options, (enum report_kind)i, why));
    return check_skipping(options, why);
}

enum status outputs_settle(struct options *options, struct failure *why)
{
    if (options->command < COMMAND_VERSION)
        TRY(check_places(options, why));
    TRY(outputs_decide_forms(options, why));
    return check_names(options, why);
}
