/* SPDX-License-Identifier: MIT */
/* The processes of several traces end in any order, and one may fail after it has written a
 * part of its output. So each writes to a temporary file of its own. These files are copied in
 * the order of the traces, once it is known that they are complete. */
#include "cli/files/collection.h"

#include "base/memory.h"
#include "cli/files/stats_rows.h"
#include "cli/files/streams.h"
#include "cli/options/options.h"
#include "cli/process/ending.h"
#include "io/descriptor.h"
#include "io/sink.h"
#include "io/temporary/spool.h"
#include "report/stats/stats_print.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* At most so many traces that have ended may wait for one: each of them holds a descriptor. */
enum { WAITING_MOST = 128, COPY_SIZE = 64 * 1024 };

/* What the process of one trace has written. */
struct collected {
    int descriptor; /* -1: none */
    bool has_ended;
    bool has_failed;
    bool has_row; /* the table has its row from an earlier call */
};

struct collection {
    const struct options *options;
    struct sink *sink;
    char *table;          /* the file of a table, which has one header; NULL: there is none */
    struct old_rows *old; /* of the table; NULL: it is new */
    bool has_names;       /* the header is written, or is not wanted */
    bool has_new_rows;
    struct collected *parts; /* by trace */
    size_t next;             /* the first that is not copied */
    char *buffer;            /* of COPY_SIZE */
};

/* Checks that the output is none of the traces. */
static enum status protect_traces(const struct options *options, struct failure *why)
{
    for (size_t i = 0; i < options->trace_count; i++)
        if (sink_list_has_file(ending_sinks(), options->traces[i]))
            return fail_at(why, STATUS_MEANING, options->traces[i], 0,
                           "This is a trace: the output would take its place");
    return STATUS_OK;
}

static enum status open_collected(struct collection *collection, struct failure *why)
{
    const struct options *options = collection->options;
    collection->buffer = malloc(COPY_SIZE);
    collection->parts = array_new(options->trace_count, sizeof *collection->parts);
    if (!collection->buffer || !collection->parts)
        return fail_memory(why);
    for (size_t i = 0; i < options->trace_count; i++)
        collection->parts[i] = (struct collected){.descriptor = -1};
    const struct sink_options how = {.force = options->force || collection->old, .input = -1};
    enum status status = streams_open_report(&collection->sink, collection->table, &how, why);
    return status == STATUS_OK ? protect_traces(options, why) : status;
}

/* Reads the old table, if there is one, and opens the new one, which begins with the old rows
 * of traces that are not given now. */
static enum status open_output(struct collection *collection, struct failure *why)
{
    const struct options *options = collection->options;
    enum status status = STATUS_OK;
    if (collection->table && options->skip_existing)
        status =
            old_rows_read(&collection->old, collection->table, !options->report.no_header, why);
    if (status == STATUS_OK)
        status = open_collected(collection, why);
    collection->has_names = options->report.no_header;
    if (status != STATUS_OK || !collection->old)
        return status;
    collection->has_names = true;
    return old_rows_put_others(collection->old, collection->sink, options->traces,
                               options->trace_count, why);
}

enum status collection_open(struct collection **out, const struct options *options,
                            const char *table, struct failure *why)
{
    bool has_file = !is_standard_stream(options->output);
    bool has_reports = options_output_is_report(options) && !has_file;
    *out = NULL;
    if (!has_reports && !table)
        return STATUS_OK;
    struct collection *collection = calloc(1, sizeof *collection);
    if (!collection)
        return fail_memory(why);
    collection->options = options;
    enum status status = STATUS_OK;
    if (table && !(collection->table = strdup(table)))
        status = fail_memory(why);
    if (status == STATUS_OK)
        status = open_output(collection, why);
    if (status == STATUS_OK)
        *out = collection;
    else
        collection_close(collection);
    return status;
}

bool collection_has_room(const struct collection *collection, size_t trace)
{
    return !collection || trace - collection->next < WAITING_MOST;
}

enum status collection_begin(struct collection *collection, size_t trace, bool *has_row,
                             struct failure *why)
{
    *has_row = false;
    if (!collection)
        return STATUS_OK;
    enum status status =
        old_rows_has(collection->old, collection->options->traces[trace], has_row, why);
    collection->parts[trace].has_row = *has_row;
    if (status != STATUS_OK || *has_row)
        return status;
    const char *folder = unnamed_folder(collection->options->source.temporary.path);
    return unnamed_open(&collection->parts[trace].descriptor, folder, why);
}

enum status collection_redirect(const struct collection *collection, size_t trace,
                                struct failure *why)
{
    if (!collection || collection->parts[trace].descriptor < 0 ||
        dup2(collection->parts[trace].descriptor, STDOUT_FILENO) >= 0)
        return STATUS_OK;
    return fail_errno(why, "(standard output)", "redirect", errno);
}

/* How many of `length` bytes belong to the first line; sets *goes_on to whether it continues
 * after them. */
static size_t header_length(const char *bytes, size_t length, bool *goes_on)
{
    const char *end = memchr(bytes, '\n', length);
    *goes_on = !end;
    return end ? (size_t)(end - bytes) + 1 : length;
}

/* Copies the file of a trace to the output. */
static enum status copy_collected(struct collection *collection, int from, struct failure *why)
{
    enum status status = STATUS_OK;
    bool in_header = collection->has_names && !collection->options->report.no_header;
    uint64_t offset = 0;
    size_t got = 1;
    while (status == STATUS_OK && got > 0) {
        int error = descriptor_read_at(from, offset, collection->buffer, COPY_SIZE, &got);
        if (error)
            return fail_errno(why, "(temporary file)", "read", error);
        size_t left_out = in_header ? header_length(collection->buffer, got, &in_header) : 0;
        status =
            sink_write(collection->sink, collection->buffer + left_out, got - left_out, why);
        offset += got;
    }
    collection->has_new_rows = collection->table != NULL;
    collection->has_names |= collection->has_new_rows;
    return status;
}

/* Sets *now to the rows of the old table as it is now, if it has one of `trace` that is ok. */
static enum status read_again(const struct collection *collection, const char *trace,
                              struct old_rows **now, struct failure *why)
{
    bool has_row = false;
    *now = NULL;
    if (!collection->old)
        return STATUS_OK;
    enum status status =
        old_rows_read(now, collection->table, !collection->options->report.no_header, why);
    if (status == STATUS_OK)
        status = old_rows_has(*now, trace, &has_row, why);
    if (has_row)
        return status;
    old_rows_free(*now);
    *now = NULL;
    return status;
}

/* Puts the row of a trace that failed. If another process, as the same task on another machine,
 * has meanwhile written one that is ok, that stays. */
static enum status put_failed(struct collection *collection, const char *trace,
                              struct failure *why)
{
    bool has_names = collection->has_names;
    struct old_rows *now;
    enum status status = read_again(collection, trace, &now, why);
    collection->has_names = collection->has_new_rows = true;
    if (status == STATUS_OK)
        status = now ? old_rows_put(now, collection->sink, trace, why)
                     : stats_put_failed_row(collection->sink, old_rows_trace_name(trace),
                                            has_names, why);
    old_rows_free(now);
    return status;
}

/* Copies what the next trace has written to the output; if it failed, and there is a table of
 * statistics, its row that says so. A table of matches has no column for that. */
static enum status take_next(struct collection *collection, struct failure *why)
{
    const struct collected *part = &collection->parts[collection->next];
    const char *trace = collection->options->traces[collection->next];
    if (part->has_row)
        return old_rows_put(collection->old, collection->sink, trace, why);
    if (part->descriptor >= 0)
        return copy_collected(collection, part->descriptor, why);
    if (!part->has_failed || !collection->table ||
        collection->options->command == COMMAND_MATCH)
        return STATUS_OK;
    return put_failed(collection, trace, why);
}

static void drop_collected(struct collected *part)
{
    if (part->descriptor >= 0)
        close(part->descriptor);
    part->descriptor = -1;
}

enum status collection_end(struct collection *collection, size_t trace, bool is_good,
                           struct failure *why)
{
    enum status status = STATUS_OK;
    if (!collection)
        return STATUS_OK;
    collection->parts[trace].has_ended = true;
    collection->parts[trace].has_failed = !is_good;
    if (!is_good)
        drop_collected(&collection->parts[trace]);
    while (collection->next < collection->options->trace_count && status == STATUS_OK) {
        struct collected *part = &collection->parts[collection->next];
        if (!part->has_ended)
            break;
        status = take_next(collection, why);
        drop_collected(part);
        collection->next++;
    }
    return status;
}

enum status collection_commit(struct collection *collection, struct failure *why)
{
    if (!collection || (collection->table && !collection->has_new_rows))
        return STATUS_OK;
    struct sink *sink = collection->sink;
    collection->sink = NULL;
    return sink_commit(sink, why);
}

void collection_close(struct collection *collection)
{
    if (!collection)
        return;
    for (size_t i = 0; collection->parts && i < collection->options->trace_count; i++)
        drop_collected(&collection->parts[i]);
    sink_discard(collection->sink);
    old_rows_free(collection->old);
    free(collection->parts);
    free(collection->buffer);
    free(collection->table);
    free(collection);
}
