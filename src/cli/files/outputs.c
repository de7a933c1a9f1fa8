/* SPDX-License-Identifier: MIT */
/* The names of outputs. Two outputs with the same file would overwrite each other when they are
 * renamed at the end. So the names that realpath gives are compared before the work begins. */
#include "cli/files/outputs.h"

#include "base/memory.h"
#include "cli/options/options.h"
#include "cli/options/values.h"
#include "io/codec/codec.h"
#include "io/path.h"
#include "report/lives/moments.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *outputs_report_path(const struct options *options, enum report_kind kind)
{
    const char *file = options->reports[kind];
    return file && report_class_of(kind, &options->report)->reads ? "-" : file;
}

bool outputs_have_moments(const struct options *options, enum report_kind kind)
{
    return options->report.at.count > 1 &&
           report_has_moments(report_class_of(kind, &options->report));
}

/* The one file for the table of matches; NULL: each trace has a file of its own, or there is no
 * table. */
static const char *shared_matches(const struct options *options)
{
    const char *file = options->output ? options->output : "-";
    bool is_shared = options->format == FORMAT_TSV && options->trace_count > 1;
    return is_shared && !output_name_is_made(file) ? file : NULL;
}

const char *outputs_shared_table(const struct options *options)
{
    if (options->command == COMMAND_MATCH)
        return shared_matches(options);
    const char *file = options->reports[REPORT_STATS];
    bool is_table = file && options->report.stats_format == FORMAT_TSV;
    bool is_shared =
        options->trace_count > 1 || (options->skip_existing && options->trace_count == 1);
    return is_table && is_shared && !output_name_is_made(file) ? file : NULL;
}

bool outputs_trace_is_standard(const struct options *options)
{
    return !options->suffix && !options->in_place && is_standard_stream(options->output);
}

bool outputs_report_is_standard(const struct options *options, bool is_table)
{
    for (unsigned i = 0; i < REPORT_COUNT; i++) {
        enum report_kind kind = (enum report_kind)i;
        const char *output = outputs_report_path(options, kind);
        if (output && is_standard_stream(output) &&
            (!is_table || report_class_of(kind, &options->report)->is_table))
            return true;
    }
    return false;
}

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
        return output_name_make(&output->path, path, trace, why);
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

/* STATUS_MEANING: two of the `count` outputs at `paths` would be one file, or one would be one
 * of options->traces (`options` may be NULL); *why names the file. NULL and "-" are standard
 * output. Devices and pipes may be named more than once. */
static enum status output_check_files(const char *const *paths, size_t count,
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

/* In a call with several traces, each has reports of its own, so "%" in the name of a file
 * stands for the name of the trace, as in make's rules. A table or a dump shows one moment. So
 * if --at names several, "%" also stands for the moment, and one run, which computes the deaths
 * once, writes a report for each. */

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

bool output_name_is_made(const char *file)
{
    for (const char *at = file; (at = strchr(at, '%')); at += 2)
        if (at[1] != '%')
            return true;
    return false;
}

enum status output_name_make(char **made, const char *file, const char *trace,
                             struct failure *why)
{
    bool has_name = !is_standard_stream(trace);
    size_t length = 0;
    const char *stem = has_name ? stem_of(trace, &length) : "";
    *made = NULL;
    if (!has_name && output_name_is_made(file))
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
    enum status status = output_name_make(made, options->names, options->trace, why);
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
        if (!file || !strchr(file, '%') || outputs_have_moments(options, (enum report_kind)i))
            continue;
        enum status status = output_name_make(&names->made[i], file, options->trace, why);
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
    const struct moments *moments = &options->report.at;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < moments->count; i++) {
        char name[MOMENT_NAME_SIZE], *path;
        if (options->left_out[kind] >> i & 1)
            continue;
        moment_name(name, &moments->items[i], '-');
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
        const char *path = outputs_report_path(options, kind);
        if (path && outputs_have_moments(options, kind))
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
