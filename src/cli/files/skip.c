/* SPDX-License-Identifier: MIT */
/* An output has its name only when it is whole, so that what is there needs no second run: each
 * output is looked at on its own, and a trace is left out if all of them are there. */
#include "cli/files/skip.h"

#include "cli/files/output.h"
#include "cli/files/report_names.h"
#include "cli/files/report_outputs.h"
#include "cli/options/report_options.h"
#include "cli/process/message.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Whether there is a file or folder; what is in a device is not kept. */
static bool is_finished_output(const char *path)
{
    struct stat facts;
    return path && stat(path, &facts) == 0 &&
           (S_ISREG(facts.st_mode) || S_ISDIR(facts.st_mode));
}

/* Whether the trace is to be written, and is there. */
static bool has_trace_output(const struct options *options)
{
    struct failure told_later = {.status = STATUS_OK};
    struct output output = {.path = NULL};
    bool has = options_write_trace(options) &&
               output_find(&output, options, options->trace, &told_later) == STATUS_OK &&
               is_finished_output(output.path);
    free(output.path);
    failure_clear(&told_later);
    return has;
}

static void leave_out_trace(struct options *options)
{
    options->output = options->suffix = NULL;
}

/* Whether the report is there. The table of all traces, which each gets by standard output, is
 * looked at row by row. */
static bool has_report(const char *file, bool has_row)
{
    return strcmp(file, "-") == 0 ? has_row : is_finished_output(file);
}

/* Leaves out those of `outputs` that are there; returns how many. */
static size_t leave_out_outputs(struct options *options, const struct report_outputs *outputs,
                                bool has_row)
{
    bool has_more[REPORT_COUNT] = {false}; /* than are there */
    size_t left_out = 0;
    for (size_t i = 0; i < outputs->count; i++) {
        const struct report_output *output = &outputs->items[i];
        bool has = has_report(output->path, has_row);
        left_out += has;
        has_more[output->kind] |= !has;
        options->left_out[output->kind] |= (uint64_t)has << output->moment;
    }
    for (size_t i = 0; i < REPORT_COUNT; i++)
        if (!has_more[i])
            options->reports[i] = NULL;
    return left_out;
}

/* Leaves out the reports that are there; returns how many. */
static size_t leave_out_reports(struct options *options, bool has_row)
{
    struct failure told_later = {.status = STATUS_OK};
    struct report_names names;
    struct report_outputs outputs = {.items = NULL};
    struct options made = *options;
    size_t left_out = 0;
    if (report_names_make(&names, &made, &told_later) == STATUS_OK &&
        report_outputs_add(&outputs, &made, &told_later) == STATUS_OK)
        left_out = leave_out_outputs(options, &outputs, has_row);
    report_outputs_free(&outputs);
    report_names_free(&names);
    failure_clear(&told_later);
    return left_out;
}

bool skip_finished(struct options *options, bool has_row)
{
    if (!options->skip_existing)
        return false;
    bool writes_trace = options_write_trace(options);
    bool has_trace = has_trace_output(options);
    size_t left_out = leave_out_reports(options, has_row) + has_trace;
    bool is_finished = (!writes_trace || has_trace) && !options_want_reports(options);
    if (has_trace)
        leave_out_trace(options);
    if (options->verbose && left_out > 0)
        message(options->trace, is_finished
                                    ? "Left out: its outputs are there already"
                                    : "Some of its outputs are there already, and left out");
    return is_finished;
}

void skip_tell(const struct options *options, size_t skipped)
{
    size_t all = options->trace_count > 0 ? options->trace_count : 1;
    if (skipped > 0 && !options->quiet)
        message(NULL, "%zu of %zu traces left out: their outputs are there already", skipped,
                all);
}
