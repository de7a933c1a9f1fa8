/* SPDX-License-Identifier: MIT */
/* The outputs of reports are opened before the work begins, each as a temporary file that gets
 * its name in the end. So are the lists of names that they show. */
#include "cli/files/report_files.h"

#include "base/memory.h"
#include "cli/files/streams.h"
#include "cli/process/process.h"
#include "formats/name_lists.h"
#include "io/folder.h"
#include "io/path.h"
#include "report/columns.h"

#include <stdlib.h>
#include <sys/stat.h>

struct report_files {
    const struct options *options;
    const struct outputs *outputs; /* of the run */
    struct sink **sinks;           /* by output; NULL: none is open for it here */
    struct folder *folder;         /* of columns; NULL: not asked for, or committed */
    const struct names *names;     /* from name lists; NULL: no report wants them */
    struct names *own_names;       /* those that were read here; NULL: none */
    struct list_remarks remarks;   /* on these lists */
    struct reports *reports;
};

/* Checks that a report does not replace the trace. */
static enum status protect_trace(const struct source *trace, const char *path,
                                 struct failure *why)
{
    struct stat input, output;
    if (is_standard_stream(path) || fstat(source_descriptor(trace), &input) != 0 ||
        stat(path, &output) != 0 || !S_ISREG(output.st_mode) || output.st_dev != input.st_dev ||
        output.st_ino != input.st_ino)
        return STATUS_OK;
    return fail_at(why, STATUS_MEANING, path, 0,
                   "This is the trace: the report would take its place");
}

static enum status open_report(struct report_files *files, size_t number,
                               const struct source *trace, struct failure *why)
{
    const struct options *options = files->options;
    const struct output *output = &files->outputs->items[number];
    const struct sink_options how = {
        .force = options->force || (output->kind == REPORT_STATS && options->redoes_failed),
        .input = source_descriptor(trace),
        .compression.threads = options->compression.threads,
    };
    TRY(protect_trace(trace, output->path, why));
    TRY(streams_open_report(&files->sinks[number], output->path, &how, why));
    const struct report_request request = {
        .kind = output->kind,
        .moment = output->moment,
        .sink = files->sinks[number],
        .path = output->input ? output->input : output->path,
    };
    return reports_add(files->reports, &request, why);
}

static enum status open_columns(struct report_files *files, const char *path,
                                struct failure *why)
{
    const struct folder_options how = {
        .force = files->options->force,
        .is_own = columns_are_all,
        .list = ending_folders(),
    };
    TRY(folder_open(&files->folder, path, &how, why));
    const struct report_request request = {
        .kind = REPORT_COLUMNS, .folder = folder_temporary(files->folder), .path = path};
    return reports_add(files->reports, &request, why);
}

enum status report_files_read_names(struct report_files *files, const struct reader *reader,
                                    struct failure *why)
{
    if (!files || !options_any_report(files->options, TRAIT_NAMES))
        return STATUS_OK;
    struct lists_wanted wanted = inputs_lists(files->options, reader);
    TRY(names_new(&files->own_names, why));
    files->names = files->own_names;
    return name_lists_read(files->own_names, &wanted, signals_interrupt(), &files->remarks,
                           why);
}

void report_files_take_names(struct report_files *files, const struct names *names)
{
    if (files)
        files->names = names;
}

void report_files_remark(const struct report_files *files, const struct reader *reader)
{
    if (files)
        remarks_print_lists(reader, &files->remarks);
}

void report_files_take_reader(struct report_files *files, struct reader *reader)
{
    if (!files)
        return;
    const struct names *names = reader->names;
    bool wanted = files->options->names != NULL;
    reports_set_reader(files->reports, reader, names && !wanted ? names : files->names, wanted);
}

static enum status open_reports(struct report_files *files, struct source *trace,
                                struct failure *why)
{
    const struct options *options = files->options;
    const struct report_material material = {
        .trace = source_name(trace),
        .settings = &options->report,
        .temporary = &options->source.temporary,
        .reading = &options->reader,
        .engine = &options->engine,
        .death_thread = options->has_death_thread ? &options->death_thread : NULL,
        .assumptions = options->assumptions,
    };
    TRY(reports_new(&files->reports, &material, why));
    TRY(outputs_check(files->outputs, why));
    files->sinks = array_new(files->outputs->count, sizeof *files->sinks);
    if (!files->sinks)
        return fail_memory(why);
    for (size_t i = 0; i < files->outputs->count; i++) {
        const struct output *output = &files->outputs->items[i];
        if (!output->of_command)
            TRY(output->kind == REPORT_COLUMNS ? open_columns(files, output->path, why)
                                               : open_report(files, i, trace, why));
    }
    return STATUS_OK;
}

enum status report_files_open(struct report_files **out, const struct options *options,
                              const struct outputs *outputs, struct source *trace,
                              struct failure *why)
{
    *out = NULL;
    if (!options_want_reports(options))
        return STATUS_OK;
    struct report_files *files = calloc(1, sizeof *files);
    if (!files)
        return fail_memory(why);
    files->options = options;
    files->outputs = outputs;
    enum status status = open_reports(files, trace, why);
    if (status == STATUS_OK)
        *out = files;
    else
        report_files_close(files);
    return status;
}

enum status report_files_protect_inputs(const struct report_files *files, struct failure *why)
{
    for (size_t i = 0; files && i < files->outputs->count; i++) {
        const char *input = files->outputs->items[i].input;
        if (!is_standard_stream(input))
            TRY(inputs_protect_file(input, why));
    }
    return STATUS_OK;
}

struct reports *report_files_reports(struct report_files *files)
{
    return files ? files->reports : NULL;
}

enum status report_files_end(struct report_files *files, struct failure *why)
{
    for (size_t i = 0; files && i < files->outputs->count; i++)
        if (files->sinks[i])
            TRY(sink_end(files->sinks[i], why));
    return STATUS_OK;
}

enum status report_files_commit(struct report_files *files, struct failure *why)
{
    for (size_t i = 0; files && i < files->outputs->count; i++) {
        struct sink *sink = files->sinks[i];
        files->sinks[i] = NULL;
        if (sink)
            TRY(sink_commit(sink, why));
    }
    if (!files || !files->folder)
        return STATUS_OK;
    struct folder *folder = files->folder;
    files->folder = NULL;
    return folder_commit(folder, why);
}

void report_files_close(struct report_files *files)
{
    if (!files)
        return;
    reports_free(files->reports);
    for (size_t i = 0; files->sinks && i < files->outputs->count; i++)
        sink_discard(files->sinks[i]);
    free(files->sinks);
    folder_discard(files->folder);
    names_free(files->own_names);
    list_remarks_free(&files->remarks);
    free(files);
}
