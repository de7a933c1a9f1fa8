/* SPDX-License-Identifier: MIT */
/* Opens inputs and outputs, and refuses what makes no sense: options that do not apply to the
 * format, or an output that would replace a file without --force. All this happens before the
 * work begins. */
#include "cli/files/streams.h"

#include "cli/files/output.h"
#include "cli/options/option_table.h"
#include "cli/options/options.h"
#include "cli/options/values.h"
#include "cli/process/ending.h"
#include "formats/formats.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_folder(const char *path)
{
    struct stat facts;
    return !is_standard_stream(path) && stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

/* The option of the first report whose file exists, whose path *path becomes; NULL: there is
 * none. */
static const char *report_on_file(const struct options *options, const char **path)
{
    struct stat facts;
    for (unsigned i = 0; i < REPORT_COUNT; i++) {
        *path = options->reports[i];
        if (!is_standard_stream(*path) && stat(*path, &facts) == 0 && S_ISREG(facts.st_mode) &&
            facts.st_size > 0)
            return options_report_name((enum report_kind)i);
    }
    return NULL;
}

/* Without a trace, standard input is read. If nothing can come from there, the trace was
 * forgotten, or an option took its name as a value; then that file must not be replaced. */
static enum status check_standard_input(const struct options *options, struct failure *why)
{
    struct stat facts;
    const char *path, *report;
    bool is_terminal = isatty(STDIN_FILENO);
    bool is_empty = fstat(STDIN_FILENO, &facts) == 0 &&
                    (S_ISCHR(facts.st_mode) || (S_ISREG(facts.st_mode) && facts.st_size == 0));
    if (is_empty && !options->trace && (report = report_on_file(options, &path)))
        return fail_at(
            why, STATUS_MEANING, path, 0,
            "--%s would write the report here, and no trace is given: if this is the "
            "trace, say --%s=FILE TRACE",
            report, report);
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
    enum status status = STATUS_OK;
    bool is_trace_folder = is_folder(path);
    how.is_found = is_trace_folder;
    how.takes_cut = options->reader.lenient;
    if (options->command != COMMAND_VALIDATE)
        how.cut_advice = "--lenient takes the events before that";
    if (is_standard_stream(path))
        status = check_standard_input(options, why);
    if (status != STATUS_OK)
        return status;
    if (is_trace_folder && options->in_place)
        return fail_at(why, STATUS_MEANING, path, 0,
                       "--in-place cannot replace a folder: --suffix or --output writes "
                       "elsewhere");
    if (is_trace_folder)
        status = formats_find_index(path, &index, why);
    if (status == STATUS_OK)
        status = source_open(source, index ? index : path, &how, why);
    free(index);
    return status;
}

enum status streams_open_output(struct sink **sink, const struct options *options,
                                const struct source *trace, struct failure *why)
{
    struct output output;
    enum status status = output_find(&output, options, options->trace, why);
    if (status != STATUS_OK)
        return status;
    struct sink_options how = {
        .force = options->force,
        .in_place = options->in_place,
        .could_be_in_place = options->command == COMMAND_ADD_DEATHS,
        .read_back = options->verify,
        .input = source_descriptor(trace),
        .compression = output.compression,
        .interrupt = signals_interrupt(),
        .list = ending_sinks(),
    };
    status = sink_open(sink, output.path, &how, why);
    free(output.path);
    return status;
}

enum status streams_open_report(struct sink **sink, const char *path,
                                const struct sink_options *options, struct failure *why)
{
    struct sink_options how = *options;
    how.interrupt = signals_interrupt();
    how.list = ending_sinks();
    enum status status = choose_compression(path, false, &how.compression, why);
    return status == STATUS_OK ? sink_open(sink, path, &how, why) : status;
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
    bool has_bounds = options_any_report(options, report_is_of_reader_moments);
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
    if (options->writer.compact && !(writes && formats_write_compact(options->to)))
        return fail(why, STATUS_MEANING, "--hatf-compact is for HATF: it needs --to=hatf");
    if (options->reader.byte_order == BYTE_ORDER_AUTO ||
        reader->methods->takes & TAKES_BYTE_ORDER ||
        (writes && formats_write_byte_order(options->to)))
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
    enum status status = check_frees(options, reader, why);
    if (status == STATUS_OK)
        status = check_written(options, reader, why);
    for (size_t i = 0; i < sizeof class_options / sizeof *class_options; i++) {
        const struct class_option *option = &class_options[i];
        if (status == STATUS_OK && option->is_given &&
            !(reader->methods->takes & option->takes))
            status =
                fail_at(why, STATUS_MEANING, reader->name, 0,
                        "--%s is for traces of %s; the format of this one is %s", option->name,
                        formats_title_taking(option->takes), reader->methods->name);
    }
    return status;
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

/* The path of the companion, in the folder of `output`; NULL: no memory. */
static char *companion_path(const char *output, const struct companion *companion)
{
    size_t folder = path_folder_length(output);
    char *path = malloc(folder + strlen(companion->name) + 1);
    if (path) {
        memcpy(path, output, folder);
        strcpy(path + folder, companion->name);
    }
    return path;
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
    enum status status = streams_open_report(out, path, &how, why);
    if (status != STATUS_OK)
        return status;
    status = sink_write(*out, companion->text, companion->length, why);
    return status == STATUS_OK ? sink_finish(*out, why) : status;
}

enum status companion_open(struct sink **out, const struct companion *companion,
                           const struct sink *output, bool force, struct failure *why)
{
    if (!companion || !sink_temporary(output))
        return STATUS_OK;
    char *path = companion_path(sink_name(output), companion);
    if (!path)
        return fail_memory(why);
    enum status status = open_at(out, path, sink_name(output), companion, force, why);
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
