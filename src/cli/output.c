/* SPDX-License-Identifier: MIT */
/* The names of outputs. Two outputs that are one file would overwrite each other when they are
 * renamed at the end, so names are compared before the work begins, as realpath gives them. */
#include "cli/output.h"

#include "base/memory.h"
#include "cli/report_names.h"
#include "cli/report_options.h"
#include "cli/values.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The name TRACE with the suffix before the suffix of its codec, which is that of the output.
 */
static enum status beside_trace(struct output *output, const struct options *options,
                                const char *trace, struct failure *why)
{
    const char *suffix = options->suffix;
    const struct codec *of_trace = codec_of_path(trace), *of_suffix = codec_of_path(suffix);
    if (!options->has_compression) {
        enum status status = choose_compression(suffix, true, &output->compression, why);
        if (status == STATUS_OK && !of_suffix)
            status = choose_codec(trace, &output->compression, why);
        if (status != STATUS_OK)
            return status;
    }
    const struct codec *codec = output->compression.codec;
    const char *ending = codec && codec != of_suffix ? codec->suffix : "";
    size_t stem = strlen(trace) - (of_trace ? strlen(of_trace->suffix) : 0);
    while (stem > 1 && trace[stem - 1] == '/') /* of a folder */
        stem--;
    size_t length = stem + strlen(suffix) + strlen(ending) + 1;
    output->path = malloc(length);
    if (!output->path)
        return fail_memory(why);
    snprintf(output->path, length, "%.*s%s%s", (int)stem, trace, suffix, ending);
    return STATUS_OK;
}

enum status output_find(struct output *output, const struct options *options, const char *trace,
                        struct failure *why)
{
    *output = (struct output){.compression = options->compression};
    bool is_file = trace && strcmp(trace, "-") != 0;
    if ((options->suffix || options->in_place) && !is_file)
        return fail(why, STATUS_MEANING, "%s needs a trace that is a file",
                    options->suffix ? "--suffix" : "--in-place");
    if (options->suffix)
        return beside_trace(output, options, trace, why);
    const char *path = options->in_place ? trace : options->output;
    if (!options->has_compression) {
        enum status status = options->in_place
                                 ? choose_codec(path, &output->compression, why)
                                 : choose_compression(path, true, &output->compression, why);
        if (status != STATUS_OK)
            return status;
    }
    if (path && options_output_is_report(options))
        return report_name_make(&output->path, path, trace, why);
    if (path && !(output->path = strdup(path)))
        return fail_memory(why);
    return STATUS_OK;
}

/* An output: by its name, and by the only name of that file. */
struct output_place {
    char *path;
    char *real;
};

/* The only name of a file that need not be there, but whose folder is; else the name itself.
 * NULL: no memory. */
static char *real_name(char *path)
{
    char *real = realpath(path, NULL);
    if (real)
        return real;
    char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    char *real_folder = folder ? realpath(folder, NULL) : NULL;
    const char *name = slash ? slash + 1 : path;
    if (folder && !real_folder)
        real = strdup(path);
    else if (real_folder && asprintf(&real, "%s/%s", real_folder, name) < 0)
        real = NULL;
    free(folder);
    free(real_folder);
    return real;
}

static int compare_places(const void *left, const void *right)
{
    return strcmp(((const struct output_place *)left)->real,
                  ((const struct output_place *)right)->real);
}

/* STATUS_MEANING: two places are one file; `what` says of what. */
static enum status check_places(struct output_place *places, size_t count, const char *what,
                                struct failure *why)
{
    for (size_t i = 0; i < count; i++)
        if (!(places[i].real = real_name(places[i].path)))
            return fail_memory(why);
    qsort(places, count, sizeof *places, compare_places);
    for (size_t i = 1; i < count; i++)
        if (strcmp(places[i - 1].real, places[i].real) == 0)
            return fail_at(why, STATUS_MEANING, places[i].path, 0,
                           "Two of the %s would be written here", what);
    return STATUS_OK;
}

static void free_places(struct output_place *places, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(places[i].path);
        free(places[i].real);
    }
    free(places);
}

/* Whether an output would replace a file, or make one. */
static bool is_to_file(const char *path)
{
    struct stat there;
    if (!path || strcmp(path, "-") == 0)
        return false;
    return stat(path, &there) != 0 || S_ISREG(there.st_mode);
}

enum status output_check_distinct(const struct options *options, const char *table,
                                  struct failure *why)
{
    struct output_place *places = array_new(options->trace_count + 1, sizeof *places);
    if (!places)
        return fail_memory(why);
    size_t count = 0;
    for (size_t i = 0; i < options->trace_count; i++) {
        struct output output;
        struct failure told_later = {.status = STATUS_OK};
        if (output_find(&output, options, options->traces[i], &told_later) != STATUS_OK ||
            !is_to_file(output.path))
            free(output.path);
        else
            places[count++] = (struct output_place){.path = output.path};
        failure_clear(&told_later);
    }
    bool has_reports = table || options_output_is_report(options);
    enum status status = STATUS_OK;
    if (table && is_to_file(table) && !(places[count++].path = strdup(table)))
        status = fail_memory(why);
    if (status == STATUS_OK)
        status = check_places(places, count, has_reports ? "outputs" : "traces", why);
    free_places(places, count);
    return status;
}

enum status output_check_files(const char *const *paths, size_t count, struct failure *why)
{
    struct output_place *places = array_new(count, sizeof *places);
    if (!places)
        return fail_memory(why);
    size_t files = 0;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        if (!is_to_file(paths[i]))
            continue;
        places[files].path = strdup(paths[i]);
        if (!places[files++].path)
            status = fail_memory(why);
    }
    if (status == STATUS_OK)
        status = check_places(places, files, "outputs", why);
    free_places(places, files);
    return status;
}
