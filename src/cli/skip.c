/* SPDX-License-Identifier: MIT */
/* An output has its name only when it is whole, so that a trace all of whose outputs are there
 * needs no second run. When the outputs are written one after the other, and only some of them
 * are there, the trace is not left out, and is refused as ever. */
#include "cli/skip.h"

#include "cli/message.h"
#include "cli/output.h"
#include "cli/report_names.h"
#include "cli/report_options.h"

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

bool skip_finished(const struct options *options)
{
    if (!options->skip_existing || !is_finished(options))
        return false;
    if (options->verbose)
        message(options->trace, "Left out: its outputs are there already");
    return true;
}

void skip_tell(const struct options *options, size_t skipped)
{
    size_t all = options->trace_count > 0 ? options->trace_count : 1;
    if (skipped > 0 && !options->quiet)
        message(NULL, "%zu of %zu traces left out: their outputs are there already", skipped,
                all);
}
