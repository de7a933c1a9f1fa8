/* SPDX-License-Identifier: MIT */
/* A table or a dump is of one moment. So where --at names several, "%" in the file of a report
 * stands for the moment, too, and the report is written once for each: all of them in one
 * run, which computes the deaths once. */
#include "cli/files/report_outputs.h"

#include "base/memory.h"
#include "cli/files/output.h"
#include "cli/files/report_names.h"
#include "cli/options/report_options.h"
#include "report/lives/moments.h"

#include <stdlib.h>
#include <string.h>

/* Adds an output with `path`, which is taken; NULL: there is no memory for it. */
static enum status add_output(struct report_outputs *outputs, enum report_kind kind,
                              size_t moment, char *path, struct failure *why)
{
    struct report_output *items =
        path ? array_grow(outputs->items, &outputs->capacity, outputs->count + 1, sizeof *items)
             : NULL;
    if (!items) {
        free(path);
        return fail_memory(why);
    }
    outputs->items = items;
    items[outputs->count++] = (struct report_output){kind, moment, path};
    return STATUS_OK;
}

static enum status add_moments(struct report_outputs *outputs, const struct options *options,
                               enum report_kind kind, struct failure *why)
{
    struct moments moments;
    enum status status = moments_parse(&moments, options->report.at, why);
    for (size_t i = 0; status == STATUS_OK && i < moments.count; i++) {
        char name[MOMENT_NAME_SIZE], *path;
        if (options->left_out[kind] >> i & 1)
            continue;
        moment_name(name, &moments.items[i], '-');
        status = report_name_make_of_moment(&path, options->reports[kind], options->trace, name,
                                            why);
        if (status == STATUS_OK)
            status = add_output(outputs, kind, i, path, why);
    }
    return status;
}

enum status report_outputs_add(struct report_outputs *outputs, const struct options *options,
                               struct failure *why)
{
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < REPORT_COUNT && status == STATUS_OK; i++) {
        enum report_kind kind = (enum report_kind)i;
        const char *path = options_report_output(options, kind);
        if (path && options_have_moments(options, kind))
            status = add_moments(outputs, options, kind, why);
        else if (path)
            status = add_output(outputs, kind, 0, strdup(path), why);
    }
    return status;
}

enum status report_outputs_check(const struct report_outputs *outputs, const char *other,
                                 const struct options *options, struct failure *why)
{
    const char **paths = array_new(outputs->count + 1, sizeof *paths);
    if (!paths)
        return fail_memory(why);
    for (size_t i = 0; i < outputs->count; i++)
        paths[i] = outputs->items[i].path;
    paths[outputs->count] = other;
    enum status status = output_check_files(paths, outputs->count + 1, options, why);
    free(paths);
    return status;
}

void report_outputs_free(struct report_outputs *outputs)
{
    for (size_t i = 0; i < outputs->count; i++)
        free(outputs->items[i].path);
    free(outputs->items);
    *outputs = (struct report_outputs){.items = NULL};
}
