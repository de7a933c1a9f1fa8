/* SPDX-License-Identifier: MIT */
/* In a call with several traces, each has reports of its own, so "%" in the name of a file
 * stands for the name of the trace, as in make's rules. A table or a dump shows one moment. So
 * if --at names several, "%" also stands for the moment, and one run, which computes the deaths
 * once, writes a report for each. */
#include "cli/files/report_names.h"

#include "base/memory.h"
#include "cli/files/output.h"
#include "cli/options/options.h"
#include "io/codec/codec.h"
#include "report/lives/moments.h"

#include <stdlib.h>
#include <string.h>

/* The part of a trace's name that stands for it: t of folder/t.trace.zst, and of folder/t/. */
static const char *stem_of(const char *trace, size_t *length)
{
    const struct codec *codec = codec_of_path(trace);
    size_t end = strlen(trace) - (codec ? strlen(codec->suffix) : 0);
    while (end > 1 && trace[end - 1] == '/')
        end--;
    size_t begin = end;
    while (begin > 0 && trace[begin - 1] != '/')
        begin--;
    for (size_t dot = end; dot > begin + 1; dot--)
        if (trace[dot - 1] == '.') {
            end = dot - 1;
            break;
        }
    *length = end - begin;
    return trace + begin;
}

/* `file` with the stem in place of each "%"; the caller owns it (free). NULL: no memory. */
static char *make_name(const char *file, const char *stem, size_t length)
{
    size_t room = strlen(file) + 1;
    for (const char *at = file; (at = strchr(at, '%')); at++)
        room += length;
    char *made = malloc(room), *end = made;
    while (made && *file) {
        if (*file != '%') {
            *end++ = *file++;
        } else if (file[1] == '%') {
            *end++ = '%';
            file += 2;
        } else {
            memcpy(end, stem, length);
            end += length;
            file++;
        }
    }
    if (made)
        *end = '\0';
    return made;
}

bool report_name_is_made(const char *file)
{
    for (const char *at = file; (at = strchr(at, '%')); at += 2)
        if (at[1] != '%')
            return true;
    return false;
}

enum status report_name_make(char **made, const char *file, const char *trace,
                             struct failure *why)
{
    bool has_name = !is_standard_stream(trace);
    size_t length = 0;
    const char *stem = has_name ? stem_of(trace, &length) : "";
    *made = NULL;
    if (!has_name && report_name_is_made(file))
        return fail(why, STATUS_MEANING,
                    "The %% in \"%s\" stands for the name of the trace, and standard input "
                    "has none; %%%% is a %%",
                    file);
    *made = make_name(file, stem, length);
    return *made ? STATUS_OK : fail_memory(why);
}

enum status report_names_make_lists(char **made, struct options *options, struct failure *why)
{
    *made = NULL;
    if (!options->names || !strchr(options->names, '%'))
        return STATUS_OK;
    enum status status = report_name_make(made, options->names, options->trace, why);
    if (status == STATUS_OK)
        options->names = *made;
    return status;
}

enum status report_names_make(struct report_names *names, struct options *options,
                              struct failure *why)
{
    *names = (struct report_names){.made = {NULL}};
    for (unsigned i = 0; i < REPORT_COUNT; i++) {
        const char *file = options->reports[i];
        if (!file || !strchr(file, '%') || options_have_moments(options, (enum report_kind)i))
            continue;
        enum status status = report_name_make(&names->made[i], file, options->trace, why);
        if (status != STATUS_OK)
            return status;
        options->reports[i] = names->made[i];
    }
    return report_names_make_lists(&names->lists, options, why);
}

void report_names_free(struct report_names *names)
{
    for (size_t i = 0; i < REPORT_COUNT; i++)
        free(names->made[i]);
    free(names->lists);
}

/* Adds an output; takes `path`, of which NULL means that there was no memory for it. */
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

/* Sets *made to `file` with TRACE-MOMENT in place of "%", or with the moment alone if the trace
 * has no name. */
static enum status make_name_of_moment(char **made, const char *file, const char *trace,
                                       const char *moment, struct failure *why)
{
    bool has_name = !is_standard_stream(trace);
    size_t length = 0;
    const char *stem = has_name ? stem_of(trace, &length) : "";
    char *text = NULL;
    *made = NULL;
    if (asprintf(&text, "%.*s%s%s", (int)length, stem, has_name ? "-" : "", moment) >= 0) {
        *made = make_name(file, text, strlen(text));
        free(text);
    }
    return *made ? STATUS_OK : fail_memory(why);
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
        status = make_name_of_moment(&path, options->reports[kind], options->trace, name, why);
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

/* Collects the reports of all traces in `outputs`, and checks them. */
static enum status check_names(const struct options *options, const char *table,
                               struct report_outputs *outputs, struct failure *why)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < options->trace_count && status == STATUS_OK; i++) {
        struct report_names names;
        struct options one = *options;
        one.trace = options->traces[i];
        status = report_names_make(&names, &one, why);
        if (status == STATUS_OK)
            status = report_outputs_add(outputs, &one, why);
        report_names_free(&names);
    }
    return status == STATUS_OK ? report_outputs_check(outputs, table, options, why) : status;
}

enum status report_names_check(const struct options *options, const char *table,
                               struct failure *why)
{
    struct report_outputs outputs = {.items = NULL};
    enum status status = check_names(options, table, &outputs, why);
    report_outputs_free(&outputs);
    return status;
}
