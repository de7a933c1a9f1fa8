/* SPDX-License-Identifier: MIT */
/* Outputs, in this order: which go to standard output or share a file; what they are called;
 * where those of a trace go, and how they are compressed; and whether two would be one file.
 * Two outputs with the same file would overwrite each other when they are renamed at the end.
 * So the names that realpath gives are compared before the work begins. */
#include "cli/files/outputs.h"

#include "base/memory.h"
#include "cli/options/options.h"
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
           report_traits(report_class_of(kind, &options->report)) & TRAIT_MOMENTS;
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

/* In a call with several traces, each has reports of its own, so "%" in the name of a file
 * stands for the name of the trace, as in make's rules. A table or a dump shows one moment. So
 * if --at names several, "%" also stands for the moment, and one run, which computes the deaths
 * once, writes a report for each. */

/* The length of the name of a trace without the suffix of its codec, and without the slashes
 * after that of a folder. */
static size_t bare_length(const char *trace)
{
    const struct codec *codec = codec_of_path(trace);
    size_t length = strlen(trace) - (codec ? strlen(codec->suffix) : 0);
    while (length > 1 && trace[length - 1] == '/')
        length--;
    return length;
}

/* The part of a trace's name that stands for it: t of folder/t.trace.zst, and of folder/t/. */
static const char *stem_of(const char *trace, size_t *length)
{
    size_t end = bare_length(trace), begin = end;
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
static char *make_name(const char *file, const char *stem)
{
    size_t length = strlen(stem), room = strlen(file) + 1;
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

/* Sets *made to `file` with the name of the trace in place of "%"; with a moment (NULL: there
 * is none) TRACE-MOMENT, or the moment alone if the trace has no name. */
static enum status name_output(char **made, const char *file, const char *trace,
                               const char *moment, struct failure *why)
{
    bool has_name = !is_standard_stream(trace);
    size_t length = 0;
    const char *stem = has_name ? stem_of(trace, &length) : "";
    char *text;
    *made = NULL;
    if (!has_name && !moment && output_name_is_made(file))
        return fail(why, STATUS_MEANING,
                    "The %% in \"%s\" stands for the name of the trace, and standard input "
                    "has none; %%%% is a %%",
                    file);
    if (asprintf(&text, "%.*s%s%s", (int)length, stem, has_name && moment ? "-" : "",
                 moment ? moment : "") >= 0) {
        *made = make_name(file, text);
        free(text);
    }
    return *made ? STATUS_OK : fail_memory(why);
}

enum status output_name_make(char **made, const char *file, const char *trace,
                             struct failure *why)
{
    return name_output(made, file, trace, NULL, why);
}

enum status lists_name_make(char **made, struct options *options, struct failure *why)
{
    *made = NULL;
    if (!options->names || !strchr(options->names, '%'))
        return STATUS_OK;
    TRY(output_name_make(made, options->names, options->trace, why));
    options->names = *made;
    return STATUS_OK;
}

/* The name of the trace without the suffix of its codec, followed by `suffix` and `ending`; the
 * caller owns it. NULL: no memory. */
static char *suffixed_name(const char *trace, const char *suffix, const char *ending)
{
    char *name;
    return asprintf(&name, "%.*s%s%s", (int)bare_length(trace), trace, suffix, ending) < 0
               ? NULL
               : name;
}

static void set_codec(struct compression *compression, const struct codec *codec)
{
    compression->codec = codec;
    compression->level = codec ? codec->level_default : 0;
}

static enum status refuse_compression(const char *path, const char *name, bool has_choice,
                                      struct failure *why)
{
    return fail_at(why, STATUS_MEANING, path, 0, "There is no %s output; %s", name,
                   has_choice
                       ? "--compress sets another compression"
                       : "let the name end with .zst, .gz or .xz, or with none of these");
}

/* Sets the codec of *compression to the one that the suffix of `path` names, with its default
 * level; to NULL (none) if it names none, or `path` is NULL. STATUS_MEANING: this codec cannot
 * be written. */
static enum status choose_codec(const char *path, struct compression *compression,
                                struct failure *why)
{
    const struct codec *codec = path ? codec_of_path(path) : NULL;
    if (codec && !codec->can_encode)
        return refuse_compression(path, codec->name, true, why);
    set_codec(compression, codec);
    return STATUS_OK;
}

enum status choose_compression(const char *path, bool has_choice,
                               struct compression *compression, struct failure *why)
{
    const char *unwritable = path ? codec_unwritable(path) : NULL;
    if (unwritable)
        return refuse_compression(path, unwritable, has_choice, why);
    set_codec(compression, path ? codec_of_path(path) : NULL);
    return STATUS_OK;
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

/* Finds out where the output of the command goes. The caller owns output->path. */
static enum status find_of_command(struct output *output, const struct options *options,
                                   const char *trace, struct failure *why)
{
    *output = (struct output){.of_command = true, .compression = options->compression};
    bool is_file = !is_standard_stream(trace);
    if ((options->suffix || options->in_place) && !is_file)
        return fail(why, STATUS_MEANING, "%s needs a trace that is a file",
                    options->suffix ? "--suffix" : "--in-place");
    if (options->suffix)
        return find_next_to_trace(output, options, trace, why);
    const char *path = options->in_place ? trace : options->output;
    if (!options->has_compression)
        TRY(options->in_place ? choose_codec(path, &output->compression, why)
                              : choose_compression(path, true, &output->compression, why));
    if (path && options_output_is_report(options))
        return output_name_make(&output->path, path, trace, why);
    if (path && !(output->path = strdup(path)))
        return fail_memory(why);
    return STATUS_OK;
}

/* Adds an output, and takes what it owns. */
static enum status add_output(struct outputs *outputs, const struct output *output,
                              struct failure *why)
{
    if (ARRAY_RESERVE(outputs->items, outputs->capacity, outputs->count + 1)) {
        outputs->items[outputs->count++] = *output;
        return STATUS_OK;
    }
    free(output->path);
    free(output->input);
    return fail_memory(why);
}

enum status outputs_add_command(struct outputs *outputs, const struct options *options,
                                const char *trace, struct failure *why)
{
    struct output output;
    TRY(find_of_command(&output, options, trace, why));
    return add_output(outputs, &output, why);
}

static enum status add_moments(struct outputs *outputs, const struct options *options,
                               const char *trace, enum report_kind kind, struct failure *why)
{
    const struct moments *moments = &options->report.at;
    for (size_t i = 0; i < moments->count; i++) {
        char name[MOMENT_NAME_SIZE];
        struct output output = {.kind = kind, .moment = i};
        if (options->left_out[kind] >> i & 1)
            continue;
        moment_name(name, &moments->items[i], '-');
        TRY(name_output(&output.path, options->reports[kind], trace, name, why));
        TRY(add_output(outputs, &output, why));
    }
    return STATUS_OK;
}

/* Adds the only output of a report. The file of one that reads it is its input. */
static enum status add_report(struct outputs *outputs, const struct options *options,
                              const char *trace, enum report_kind kind, struct failure *why)
{
    struct output output = {.kind = kind};
    bool reads = report_class_of(kind, &options->report)->reads;
    TRY(output_name_make(reads ? &output.input : &output.path, options->reports[kind], trace,
                         why));
    return add_output(outputs, &output, why);
}

enum status outputs_add_reports(struct outputs *outputs, const struct options *options,
                                const char *trace, struct failure *why)
{
    for (unsigned i = 0; i < REPORT_COUNT; i++) {
        enum report_kind kind = (enum report_kind)i;
        if (options->reports[i])
            TRY(outputs_have_moments(options, kind)
                    ? add_moments(outputs, options, trace, kind, why)
                    : add_report(outputs, options, trace, kind, why));
    }
    return STATUS_OK;
}

const struct output *outputs_of_command(const struct outputs *outputs)
{
    for (size_t i = 0; i < outputs->count; i++)
        if (outputs->items[i].of_command)
            return &outputs->items[i];
    return NULL;
}

const struct output *outputs_of_report(const struct outputs *outputs, enum report_kind kind)
{
    for (size_t i = 0; i < outputs->count; i++)
        if (!outputs->items[i].of_command && outputs->items[i].kind == kind)
            return &outputs->items[i];
    return NULL;
}

void outputs_free(struct outputs *outputs)
{
    for (size_t i = 0; i < outputs->count; i++) {
        free(outputs->items[i].path);
        free(outputs->items[i].input);
    }
    free(outputs->items);
    *outputs = (struct outputs){.items = NULL};
}

/* An output, or a file that is read: the name that was given, and the one that realpath gives.
 */
struct named_file {
    const char *path;
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

/* Whether an output at `path` replaces or makes a file or folder, so not if it is standard
 * output, a device or a pipe. */
static bool is_to_file(const char *path)
{
    struct stat there;
    if (is_standard_stream(path))
        return false;
    return stat(path, &there) != 0 || S_ISREG(there.st_mode) || S_ISDIR(there.st_mode);
}

/* Adds the file at `path` (NULL: standard output), if an output there would replace or make
 * one. */
static void add_file(struct named_file *named, size_t *count, const char *path, bool is_read)
{
    if (path && is_to_file(path))
        named[(*count)++] = (struct named_file){.path = path, .is_read = is_read};
}

/* STATUS_MEANING: two of the outputs, or one and `table` (NULL: none), would be one file, or
 * one would be one of options->traces (`options` may be NULL), which without --force no output
 * replaces; *why names the file, and calls outputs `what`. Devices and pipes may be named more
 * than once. */
static enum status check_files(const struct outputs *outputs, const char *table,
                               const struct options *options, const char *what,
                               struct failure *why)
{
    size_t count = 0, traces = options && options->force ? options->trace_count : 0;
    struct named_file *named = array_new(outputs->count + 1 + traces, sizeof *named);
    if (!named)
        return fail_memory(why);
    for (size_t i = 0; i < outputs->count; i++)
        add_file(named, &count, outputs->items[i].path, false);
    add_file(named, &count, table, false);
    for (size_t i = 0; i < traces; i++)
        add_file(named, &count, options->traces[i], true);
    enum status status = check_named_files(named, count, what, why);
    for (size_t i = 0; i < count; i++)
        free(named[i].real);
    free(named);
    return status;
}

enum status outputs_check(const struct outputs *outputs, struct failure *why)
{
    return check_files(outputs, NULL, NULL, "outputs", why);
}

/* Checks the outputs of the command for all traces. What is wrong with one of them is reported
 * later. */
static enum status check_commands(const struct options *options, const char *table,
                                  struct failure *why)
{
    bool has_reports = table || options_output_is_report(options);
    struct outputs outputs = {.items = NULL};
    for (size_t i = 0; i < options->trace_count; i++) {
        struct failure reported_later = {.status = STATUS_OK};
        if (outputs_add_command(&outputs, options, options->traces[i], &reported_later) !=
            STATUS_OK)
            failure_clear(&reported_later);
    }
    enum status status = check_files(&outputs, table, options->in_place ? NULL : options,
                                     has_reports ? "outputs" : "traces", why);
    outputs_free(&outputs);
    return status;
}

/* Checks the reports on all traces. */
static enum status check_reports(const struct options *options, const char *table,
                                 struct failure *why)
{
    struct outputs outputs = {.items = NULL};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < options->trace_count && status == STATUS_OK; i++)
        status = outputs_add_reports(&outputs, options, options->traces[i], why);
    if (status == STATUS_OK)
        status = check_files(&outputs, table, options, "outputs", why);
    outputs_free(&outputs);
    return status;
}

enum status outputs_check_all(const struct options *options, const char *table,
                              struct failure *why)
{
    TRY(check_commands(options, table, why));
    return check_reports(options, table, why);
}
