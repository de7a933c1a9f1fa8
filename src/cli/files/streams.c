/* SPDX-License-Identifier: MIT */
/* Opens inputs and the output of a command, and refuses what makes no sense: options that do
 * not apply to the format, or an output that would replace a file that is read. All this
 * happens before the work begins. In this order: inputs and outputs; options and formats;
 * companions; files that are read. */
#include "cli/files/streams.h"

#include "cli/files/outputs.h"
#include "cli/options/option_table.h"
#include "cli/options/options.h"
#include "cli/process/process.h"
#include "formats/formats.h"
#include "formats/name_lists.h"
#include "io/path.h"
#include "io/source.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_folder(const char *path)
{
    struct stat facts;
    return !is_standard_stream(path) && stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

/* Whether there is a file at `path` that is not empty. */
static bool is_full_file(const char *path)
{
    struct stat facts;
    return !is_standard_stream(path) && stat(path, &facts) == 0 && S_ISREG(facts.st_mode) &&
           facts.st_size > 0;
}

/* STATUS_MEANING: a report would replace a file, which may be the trace that was forgotten. */
static enum status check_reports_on_files(const struct options *options, struct failure *why)
{
    struct outputs outputs = {.items = NULL};
    enum status status = outputs_add_reports(&outputs, options, NULL, why);
    for (size_t i = 0; i < outputs.count && status == STATUS_OK; i++) {
        const struct output *output = &outputs.items[i];
        const char *path = output->input ? output->input : output->path;
        const char *report = options_report_name(output->kind);
        if (is_full_file(path))
            status = fail_at(
                why, STATUS_MEANING, path, 0,
                "--%s would write the report here, and no trace is given: if this is the "
                "trace, say --%s=FILE TRACE",
                report, report);
    }
    outputs_free(&outputs);
    return status;
}

/* Without a trace, standard input is read. If nothing can come from there, the trace was
 * forgotten, or an option took its name as a value; then that file must not be replaced. */
static enum status check_standard_input(const struct options *options, struct failure *why)
{
    struct stat facts;
    bool is_terminal = isatty(STDIN_FILENO);
    bool is_empty = fstat(STDIN_FILENO, &facts) == 0 &&
                    (S_ISCHR(facts.st_mode) || (S_ISREG(facts.st_mode) && facts.st_size == 0));
    if (is_empty && !options->trace)
        TRY(check_reports_on_files(options, why));
    if (is_terminal)
        return fail(why, STATUS_MEANING,
                    "Standard input is a terminal: give the name of a trace, as in etmerlin "
                    "TRACE, or send one through a pipe");
    return STATUS_OK;
}

enum status streams_open_input(struct source **source, const struct options *options,
                               const char *path, struct failure *why)
{
    struct source_options how = options->source;
    how.interrupt = signals_interrupt();
    char *index = NULL;
    bool is_trace_folder = is_folder(path);
    how.is_found = is_trace_folder;
    how.takes_cut = options->reader.lenient;
    if (options->command != COMMAND_VALIDATE)
        how.cut_advice = "--lenient takes the events before that";
    if (is_standard_stream(path))
        TRY(check_standard_input(options, why));
    if (is_trace_folder && options->in_place)
        return fail_at(why, STATUS_MEANING, path, 0,
                       "--in-place cannot replace a folder: --suffix or --output writes "
                       "elsewhere");
    if (is_trace_folder)
        TRY(formats_find_index(path, &index, why));
    enum status status = source_open(source, index ? index : path, &how, why);
    free(index);
    return status;
}

enum status streams_open_output(struct sink **sink, const struct options *options,
                                const struct output *output, const struct source *trace,
                                struct failure *why)
{
    const struct sink_options how = {
        .force = options->force,
        .in_place = options->in_place,
        .could_be_in_place = options->command == COMMAND_ADD_DEATHS,
        .read_back = options->verify,
        .input = source_descriptor(trace),
        .compression = output->compression,
        .interrupt = signals_interrupt(),
        .list = ending_sinks(),
    };
    return sink_open(sink, output->path, &how, why);
}

enum status streams_check_terminal(const struct options *options, struct failure *why)
{
    if (!options_write_trace(options) || options->output ||
        !outputs_trace_is_standard(options) || !isatty(STDOUT_FILENO))
        return STATUS_OK;
    return fail(why, STATUS_MEANING,
                "The trace would be printed on the terminal: say -o FILE (-o - prints it "
                "anyway), or ask for a report, such as --stats");
}

enum status streams_open_report(struct sink **sink, const char *path,
                                const struct sink_options *options, struct failure *why)
{
    struct sink_options how = *options;
    how.interrupt = signals_interrupt();
    how.list = ending_sinks();
    TRY(choose_compression(path, false, &how.compression, why));
    return sink_open(sink, path, &how, why);
}

/* An option that only readers of some classes take. */
struct class_option {
    const char *name;
    unsigned takes; /* enum reader_takes */
    bool is_given;
};

static enum status check_frees(const struct options *options, const struct reader *reader,
                               struct failure *why)
{
    const struct reader_class *methods = reader->methods;
    bool has_bounds = options_any_report(options, TRAIT_READER_MOMENTS);
    bool has_frees = options->reader.deaths_from_free;
    if ((!has_bounds || methods->moments) &&
        (!has_frees || methods->takes & TAKES_DEATHS_FROM_FREE))
        return STATUS_OK;
    return fail_at(why, STATUS_MEANING, reader->name, 0,
                   "%s needs a trace of frees, as %s traces are; the format of this one is %s",
                   has_bounds ? "--bounds" : "--death-from=free",
                   formats_title_taking(TAKES_DEATHS_FROM_FREE), methods->name);
}

/* Checks options that apply only to some formats of the output. The byte order of HATF may also
 * be meant for the input. */
static enum status check_written(const struct options *options, const struct reader *reader,
                                 struct failure *why)
{
    bool writes = options->command == COMMAND_ADD_DEATHS &&
                  (options_write_trace(options) || options->trace_is_there);
    if (options->writer.compact &&
        !(writes && formats_find_writer(options->to)->can_be_compact))
        return fail(why, STATUS_MEANING, "--hatf-compact is for HATF: it needs --to=hatf");
    if (options->reader.byte_order == BYTE_ORDER_AUTO ||
        reader->methods->takes & TAKES_BYTE_ORDER ||
        (writes && formats_find_writer(options->to)->reader->takes & TAKES_BYTE_ORDER))
        return STATUS_OK;
    return fail_at(why, STATUS_MEANING, reader->name, 0,
                   "--hatf-endian is for traces of %s and for --to=hatf; the format of this "
                   "one is %s",
                   formats_title_taking(TAKES_BYTE_ORDER), reader->methods->name);
}

enum status streams_check_format(const struct options *options, const struct reader *reader,
                                 struct failure *why)
{
    const struct reader_options *how = &options->reader;
    const struct class_option class_options[] = {
        {"loads-as-updates", TAKES_LOADS_AS_UPDATES, how->loads_as_updates},
        {"escape-edges", TAKES_ESCAPE_EDGES, how->escape_edges},
        {"type-sizes", TAKES_TYPE_SIZES, how->type_sizes != NULL},
        {"dialect", TAKES_DIALECT, how->dialect != DIALECT_AUTO},
        {"update-order", TAKES_UPDATE_ORDER, how->update_order != UPDATE_ORDER_AUTO},
    };
    TRY(check_frees(options, reader, why));
    TRY(check_written(options, reader, why));
    for (size_t i = 0; i < sizeof class_options / sizeof *class_options; i++) {
        const struct class_option *option = &class_options[i];
        if (option->is_given && !(reader->methods->takes & option->takes))
            return fail_at(why, STATUS_MEANING, reader->name, 0,
                           "--%s is for traces of %s; the format of this one is %s",
                           option->name, formats_title_taking(option->takes),
                           reader->methods->name);
    }
    return STATUS_OK;
}

enum status streams_check_computable(const struct reader *reader, struct failure *why)
{
    if (!reader->methods->holds_lifetimes)
        return STATUS_OK;
    return fail_at(why, STATUS_MEANING, reader->name, 0,
                   "Deaths cannot be computed from a trace in the format %s: it holds recorded "
                   "deaths, but no references",
                   reader->methods->name);
}

/* A companion is written under a temporary name like all outputs, but does not replace a file:
 * one with the same contents stays. */

/* Whether the file at `path` has the contents of the companion, and nothing more. */
static bool is_there(const char *path, const struct companion *companion)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    char *bytes = malloc(companion->length + 1);
    bool is_same = false;
    if (descriptor >= 0 && bytes)
        is_same =
            read(descriptor, bytes, companion->length + 1) == (ssize_t)companion->length &&
            memcmp(bytes, companion->text, companion->length) == 0;
    if (descriptor >= 0)
        close(descriptor);
    free(bytes);
    return is_same;
}

static enum status open_at(struct sink **out, const char *path, const char *output,
                           const struct companion *companion, bool force, struct failure *why)
{
    const struct sink_options how = {.force = force, .input = -1};
    if (strcmp(path, output) == 0)
        return fail_at(why, STATUS_MEANING, path, 0,
                       "The output cannot have this name, since a file of this name is written "
                       "next to it");
    if (is_there(path, companion))
        return STATUS_OK;
    TRY(streams_open_report(out, path, &how, why));
    TRY(sink_write(*out, companion->text, companion->length, why));
    return sink_finish(*out, why);
}

enum status companion_open(struct sink **out, const struct companion *companion,
                           const struct sink *output, bool force, struct failure *why)
{
    char *path;
    if (!companion || !sink_temporary(output))
        return STATUS_OK;
    const char *name = sink_name(output);
    if (asprintf(&path, "%.*s%s", (int)path_folder_length(name), name, companion->name) < 0)
        return fail_memory(why);
    enum status status = open_at(out, path, name, companion, force, why);
    free(path);
    return status;
}

enum status companion_commit(struct sink *sink, const struct companion *companion,
                             struct failure *why)
{
    char *path = strdup(sink_name(sink));
    enum status status = sink_commit(sink, why);
    if (status != STATUS_OK && path && is_there(path, companion)) {
        failure_clear(why);
        status = STATUS_OK;
    }
    free(path);
    return status;
}

/* Outputs are opened before readers know all their files. So each file that is read is compared
 * with the open outputs, by device and inode, since a file may have several names. */

enum status inputs_protect_file(const char *path, struct failure *why)
{
    if (!sink_list_has_file(ending_sinks(), path))
        return STATUS_OK;
    return fail_at(why, STATUS_MEANING, path, 0,
                   "This file is read, and an output would take its place");
}

static enum status protect_list(void *context, const char *path, struct failure *why)
{
    (void)context;
    return inputs_protect_file(path, why);
}

static bool matches(const char *const *patterns, const char *name)
{
    while (*patterns && fnmatch(*patterns, name, 0) != 0)
        patterns++;
    return *patterns;
}

/* Protects the files in `folder`, whose path is `path`, that have names like those of files of
 * the trace. */
static enum status protect_folder(DIR *folder, const char *path, const char *const *patterns,
                                  struct failure *why)
{
    const struct dirent *entry;
    enum status status = STATUS_OK;
    for (errno = 0; status == STATUS_OK && (entry = readdir(folder)); errno = 0) {
        char *part = NULL;
        if (!matches(patterns, entry->d_name))
            continue;
        if (asprintf(&part, "%s/%s", path, entry->d_name) < 0)
            return fail_memory(why);
        status = inputs_protect_file(part, why);
        free(part);
    }
    return status != STATUS_OK || errno == 0 ? status : fail_errno(why, path, "read", errno);
}

/* Protects the files of the trace of which `index` is one. */
static enum status protect_parts(const char *index, const char *const *patterns,
                                 struct failure *why)
{
    size_t length = path_folder_length(index);
    char *path = length > 0 ? strndup(index, length > 1 ? length - 1 : 1) : strdup(".");
    if (!path)
        return fail_memory(why);
    DIR *folder = opendir(path);
    enum status status = STATUS_OK;
    if (folder) {
        status = protect_folder(folder, path, patterns, why);
        closedir(folder);
    }
    free(path);
    return status;
}

struct lists_wanted inputs_lists(const struct options *options, const struct reader *reader)
{
    return (struct lists_wanted){.paths = options->names,
                                 .trace =
                                     is_standard_stream(options->trace) ? NULL : options->trace,
                                 .mark = &reader->mark};
}

enum status inputs_protect_lists(const struct lists_wanted *wanted, struct failure *why)
{
    return name_lists_visit(wanted, protect_list, NULL, why);
}

static enum status protect_lists(const struct options *options, const struct reader *reader,
                                 struct failure *why)
{
    bool are_named = options->names && options->command == COMMAND_VALIDATE;
    if (!are_named && !options_any_report(options, TRAIT_NAMES))
        return STATUS_OK;
    struct lists_wanted wanted = inputs_lists(options, reader);
    return inputs_protect_lists(&wanted, why);
}

/* Protects the files that are read in addition to the trace. */
static enum status protect_others(const struct options *options, const struct reader *reader,
                                  struct failure *why)
{
    if (!is_standard_stream(options->reader.type_sizes))
        TRY(inputs_protect_file(options->reader.type_sizes, why));
    return protect_lists(options, reader, why);
}

enum status inputs_protect(const struct options *options, const struct reader *reader,
                           const struct source *source, struct failure *why)
{
    if (reader->methods->parts)
        TRY(protect_parts(source_name(source), reader->methods->parts, why));
    else if (!options->in_place)
        TRY(inputs_protect_file(source_name(source), why));
    return protect_others(options, reader, why);
}

enum status inputs_protect_second(const char *path, const char *what, struct failure *why)
{
    if (!sink_list_has_file(ending_sinks(), is_standard_stream(path) ? "/dev/stdin" : path))
        return STATUS_OK;
    return fail_at(why, STATUS_MEANING, path, 0, "The report would go to %s", what);
}
