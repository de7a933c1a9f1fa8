/* SPDX-License-Identifier: MIT */
/* The names of outputs. Two outputs with the same file would overwrite each other when they are
 * renamed at the end. So the names that realpath gives are compared before the work begins. */
#include "cli/files/output.h"

#include "base/memory.h"
#include "cli/files/report_names.h"
#include "cli/options/options.h"
#include "cli/options/values.h"
#include "io/path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The name of the trace without the suffix of its codec, followed by `suffix` and `ending`; the
 * caller owns it. NULL: no memory. */
static char *suffixed_name(const char *trace, const char *suffix, const char *ending)
{
    const struct codec *codec = codec_of_path(trace);
    size_t stem = strlen(trace) - (codec ? strlen(codec->suffix) : 0);
    while (stem > 1 && trace[stem - 1] == '/') /* the trace is a folder */
        stem--;
    size_t length = stem + strlen(suffix) + strlen(ending) + 1;
    char *name = malloc(length);
    if (name)
        snprintf(name, length, "%.*s%s%s", (int)stem, trace, suffix, ending);
    return name;
}

/* Names the output after the trace: --suffix comes before the suffix of the codec of the trace,
 * which the output shares. If the result ends with the suffix of another codec, that one is
 * used. */
static enum status find_next_to_trace(struct output *output, const struct options *options,
                                      const char *trace, struct failure *why)
{
    char *path = suffixed_name(trace, options->suffix, "");
    if (!path)
        return fail_memory(why);
    const struct codec *resulting = codec_of_path(path);
    enum status status = STATUS_OK;
    if (!options->has_compression)
        status = choose_compression(path, true, &output->compression, why);
    if (status == STATUS_OK && !options->has_compression && !resulting)
        status = choose_codec(trace, &output->compression, why);
    const struct codec *codec = output->compression.codec;
    if (status == STATUS_OK && (!codec || codec == resulting)) {
        output->path = path;
        return STATUS_OK;
    }
    free(path);
    output->path =
        status == STATUS_OK ? suffixed_name(trace, options->suffix, codec->suffix) : NULL;
    return status != STATUS_OK || output->path ? status : fail_memory(why);
}

enum status output_find(struct output *output, const struct options *options, const char *trace,
                        struct failure *why)
{
    *output = (struct output){.compression = options->compression};
    bool is_file = !is_standard_stream(trace);
    if ((options->suffix || options->in_place) && !is_file)
        return fail(why, STATUS_MEANING, "%s needs a trace that is a file",
                    options->suffix ? "--suffix" : "--in-place");
    if (options->suffix)
        return find_next_to_trace(output, options, trace, why);
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

/* An output, or a file that is read: the name that was given, and the one that realpath gives.
 */
struct named_file {
    char *path;
    char *real;
    bool is_read;
};

/* The name of `path`, which is no link, as realpath gives it, even if the file does not exist
 * but its folder does; otherwise `path` itself. NULL: no memory. */
static char *real_name_of_file(const char *path)
{
    char *real = realpath(path, NULL);
    if (real)
        return real;
    size_t length = path_folder_length(path);
    char *folder = length > 0 ? strndup(path, length) : strdup(".");
    char *real_folder = folder ? realpath(folder, NULL) : NULL;
    if (folder && !real_folder)
        real = strdup(path);
    else if (real_folder && asprintf(&real, "%s/%s", real_folder, path + length) < 0)
        real = NULL;
    free(folder);
    free(real_folder);
    return real;
}

/* The same of any path. What a link leads to need not exist: an output follows it there. */
static char *real_name(const char *path)
{
    char *target = path_resolve(path);
    if (!target)
        return errno == ENOMEM ? NULL : strdup(path);
    char *real = real_name_of_file(target);
    free(target);
    return real;
}

/* Orders files by their real names, then outputs before inputs. */
static int compare_named_files(const void *left, const void *right)
{
    const struct named_file *one = left, *other = right;
    int order = strcmp(one->real, other->real);
    return order != 0 ? order : (int)one->is_read - (int)other->is_read;
}

/* STATUS_MEANING: two names are one file, and at least one is an output; *why calls outputs
 * `what`. */
static enum status check_named_files(struct named_file *named, size_t count, const char *what,
                                     struct failure *why)
{
    for (size_t i = 0; i < count; i++)
        if (!(named[i].real = real_name(named[i].path)))
            return fail_memory(why);
    qsort(named, count, sizeof *named, compare_named_files);
    for (size_t i = 1; i < count; i++) {
        const struct named_file *one = &named[i - 1], *other = &named[i];
        if (one->is_read || strcmp(one->real, other->real) != 0)
            continue;
        if (other->is_read)
            return fail_at(why, STATUS_MEANING, one->path, 0,
                           "This is a trace: the output would take its place");
        return fail_at(why, STATUS_MEANING, other->path, 0,
                       "Two of the %s would be written here", what);
    }
    return STATUS_OK;
}

static void free_named_files(struct named_file *named, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(named[i].path);
        free(named[i].real);
    }
    free(named);
}

/* Whether an output at `path` replaces or makes a file or folder, so not if it is standard
 * output, a device or a pipe. */
static bool is_to_file(const char *path)
{
    struct stat there;
    if (is_standard_stream(path))
        return false;
    return stat(path, &there) != 0 || S_ISREG(there.st_mode) || S_ISDIR(there.st_mode);
}

/* Adds the traces, which are read; without --force no output replaces one. */
static enum status add_traces(struct named_file *named, size_t *count,
                              const struct options *options, struct failure *why)
{
    for (size_t i = 0; i < options->trace_count && options->force; i++) {
        if (!is_to_file(options->traces[i]))
            continue;
        char *path = strdup(options->traces[i]);
        if (!path)
            return fail_memory(why);
        named[(*count)++] = (struct named_file){.path = path, .is_read = true};
    }
    return STATUS_OK;
}

enum status output_check_distinct(const struct options *options, const char *table,
                                  struct failure *why)
{
    struct named_file *named = array_new(2 * options->trace_count + 1, sizeof *named);
    if (!named)
        return fail_memory(why);
    size_t count = 0;
    for (size_t i = 0; i < options->trace_count; i++) {
        struct output output;
        struct failure reported_later = {.status = STATUS_OK};
        if (output_find(&output, options, options->traces[i], &reported_later) != STATUS_OK ||
            !is_to_file(output.path))
            free(output.path);
        else
            named[count++] = (struct named_file){.path = output.path};
        failure_clear(&reported_later);
    }
    bool has_reports = table || options_output_is_report(options);
    enum status status = STATUS_OK;
    if (table && is_to_file(table) && !(named[count++].path = strdup(table)))
        status = fail_memory(why);
    if (status == STATUS_OK && !options->in_place)
        status = add_traces(named, &count, options, why);
    if (status == STATUS_OK)
        status = check_named_files(named, count, has_reports ? "outputs" : "traces", why);
    free_named_files(named, count);
    return status;
}

enum status output_check_files(const char *const *paths, size_t count,
                               const struct options *options, struct failure *why)
{
    size_t room = count + (options ? options->trace_count : 0);
    struct named_file *named = array_new(room, sizeof *named);
    if (!named)
        return fail_memory(why);
    size_t files = 0;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        if (!is_to_file(paths[i]))
            continue;
        named[files].path = strdup(paths[i]);
        if (!named[files++].path)
            status = fail_memory(why);
    }
    if (status == STATUS_OK && options)
        status = add_traces(named, &files, options, why);
    if (status == STATUS_OK)
        status = check_named_files(named, files, "outputs", why);
    free_named_files(named, files);
    return status;
}
