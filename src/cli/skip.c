/* SPDX-License-Identifier: MIT */
/* An output has its name only when it is whole, so that a trace all of whose outputs are there
 * needs no second run. When the outputs are written one after the other, and only some of them
 * are there, the trace is not left out, and is refused as ever. */
#include "cli/skip.h"

#include "base/memory.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/report_names.h"

#include <stdlib.h>
#include <sys/stat.h>

/* Whether there is a file or folder; what is in a device is not kept. */
static bool is_finished_output(const char *path)
{
    struct stat facts;
    return path && stat(path, &facts) == 0 &&
           (S_ISREG(facts.st_mode) || S_ISDIR(facts.st_mode));
}

static bool has_trace_output(const struct options *options)
{
    struct failure told_later = {.status = STATUS_OK};
    struct output output = {.path = NULL};
    if (!options_write_trace(options))
        return true;
    bool has = output_find(&output, options, options->trace, &told_later) == STATUS_OK &&
               is_finished_output(output.path);
    free(output.path);
    failure_clear(&told_later);
    return has;
}

/* Whether all outputs of options->trace are there. What has no name is told when it is run. */
static bool is_finished(const struct options *options)
{
    struct failure told_later = {.status = STATUS_OK};
    struct report_names names;
    struct options one = *options;
    bool is =
        report_names_make(&names, &one, &told_later) == STATUS_OK && has_trace_output(&one);
    for (size_t i = 0; i < REPORT_COUNT && is; i++)
        is = !one.reports[i] || is_finished_output(one.reports[i]);
    report_names_free(&names);
    failure_clear(&told_later);
    return is;
}

static bool is_left(const struct options *options, char *trace)
{
    struct options one = *options;
    one.trace = trace;
    if (!is_finished(&one))
        return true;
    if (options->verbose)
        message(trace, "Left out: its outputs are there already");
    return false;
}

enum status skip_find(struct unfinished *unfinished, const struct options *options,
                      struct failure *why)
{
    *unfinished = (struct unfinished){.options = *options};
    enum status status = output_check_distinct(options, NULL, why);
    if (status == STATUS_OK && options->trace_count > 1)
        status = report_names_check(options, NULL, why);
    if (status != STATUS_OK)
        return status;
    if (options->trace_count == 0) {
        unfinished->is_none = !is_left(options, NULL);
        unfinished->skipped = unfinished->is_none ? 1 : 0;
        return STATUS_OK;
    }
    unfinished->traces = array_new(options->trace_count, sizeof *unfinished->traces);
    if (!unfinished->traces)
        return fail_memory(why);
    size_t left = 0;
    for (size_t i = 0; i < options->trace_count; i++)
        if (is_left(options, options->traces[i]))
            unfinished->traces[left++] = options->traces[i];
    unfinished->is_none = left == 0;
    unfinished->skipped = options->trace_count - left;
    unfinished->options.traces = unfinished->traces;
    unfinished->options.trace_count = left;
    unfinished->options.trace = unfinished->traces[0];
    return STATUS_OK;
}

void skip_tell(const struct unfinished *unfinished, const struct options *options)
{
    size_t all = options->trace_count > 0 ? options->trace_count : 1;
    if (unfinished->skipped > 0 && !options->quiet)
        message(NULL, "%zu of %zu traces left out: their outputs are there already",
                unfinished->skipped, all);
}

void skip_free(struct unfinished *unfinished)
{
    free(unfinished->traces);
}
