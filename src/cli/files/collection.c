/* SPDX-License-Identifier: MIT */
/* First the rows of a table, as an earlier call has left them; then the collection.
 *
 * The processes of several traces end in any order, and one may fail after it has written a
 * part of its output. So each writes to a temporary file of its own. These files are copied in
 * the order of the traces, once it is known that they are complete. */
#include "cli/files/collection.h"

#include "base/memory.h"
#include "base/symbols.h"
#include "base/text.h"
#include "cli/files/streams.h"
#include "cli/options/options.h"
#include "cli/process/process.h"
#include "io/descriptor.h"
#include "io/lines.h"
#include "io/sink.h"
#include "io/temporary/spool.h"
#include "report/stats/stats.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Rows are kept unchanged, by their first field, the name of the trace, escaped as in tables. A
 * trace that failed also has a row, but is not left out in the next call. Without such a row,
 * nobody would notice in a table, joined from many, that the trace is missing. */

static const char status_ok[] = "\tok";

struct old_rows {
    struct symbols names; /* of traces, escaped */
    struct symbols texts; /* the line of column names, if there is one, and the rows */
    bool has_names;       /* the first line has the names of the columns */
    uint32_t *texts_of;   /* by name: the number of the row that counts */
    size_t capacity;
};

/* The name that the table has for a trace (NULL: standard input): the one that was given. */
static const char *old_rows_trace_name(const char *trace)
{
    return is_standard_stream(trace) ? "(standard input)" : trace;
}

/* The first field of the row of `trace`; the caller owns it (free). NULL: no memory. */
static char *escaped_name(const char *trace, size_t *length)
{
    size_t left = strlen(trace);
    char *name = array_new(left + 1, TEXT_ESCAPE_SIZE), *at = name;
    while (name && left > 0) {
        size_t shown = text_shown_length(trace, left);
        if (*trace == '\\')
            *at++ = '\\';
        if (shown > 0)
            memcpy(at, trace, shown);
        at += shown > 0 ? shown : text_escape(at, (unsigned char)*trace);
        trace += shown > 0 ? shown : 1;
        left -= shown > 0 ? shown : 1;
    }
    *length = (size_t)(at - name);
    return name;
}

static bool is_ok(const char *row, size_t length)
{
    size_t end = strlen(status_ok);
    return length >= end && memcmp(row + length - end, status_ok, end) == 0;
}

static const char *row_text(const struct old_rows *rows, uint32_t name, size_t *length)
{
    return symbols_text(&rows->texts, rows->texts_of[name], length);
}

static size_t field_count(const char *text, size_t length)
{
    size_t count = 1;
    for (size_t i = 0; i < length; i++)
        count += text[i] == '\t';
    return count;
}

/* Adds a row. Of several rows of one trace, the first that is ok counts. */
static enum status take_row(struct old_rows *rows, const struct line *line, struct failure *why)
{
    uint32_t text, name;
    size_t known = rows->names.count, length;
    const char *end = memchr(line->text, '\t', line->length);
    TRY(symbols_add(&rows->texts, line->text, line->length, &text, why));
    TRY(symbols_add(&rows->names, line->text, (size_t)(end - line->text), &name, why));
    if (!ARRAY_RESERVE(rows->texts_of, rows->capacity, rows->names.count))
        return fail_memory(why);
    if (name < known) {
        const char *before = row_text(rows, name, &length);
        if (is_ok(before, length))
            return STATUS_OK;
    }
    rows->texts_of[name] = text;
    return STATUS_OK;
}

static enum status refuse_columns(const char *path, struct failure *why)
{
    return fail_at(why, STATUS_MEANING, path, 1,
                   "This is no table of --stats with the columns that are to be added: move it "
                   "away, or name another file");
}

static enum status take_line(struct old_rows *rows, const char *path, const struct line *line,
                             struct failure *why)
{
    size_t fields = field_count(line->text, line->length), columns = stats_column_count();
    uint32_t header;
    if (line->number == 1 && stats_is_header(line->text, line->length) != rows->has_names)
        return refuse_columns(path, why);
    if (line->number == 1 && rows->has_names)
        return symbols_add(&rows->texts, line->text, line->length, &header, why);
    if (fields != columns)
        return fail_at(why, STATUS_MEANING, path, line->number,
                       "This row of the table has %zu fields, but the table has %zu columns",
                       fields, columns);
    return take_row(rows, line, why);
}

static enum status take_lines(struct old_rows *rows, const char *path, struct failure *why)
{
    struct lines *lines;
    struct line line;
    enum status status;
    const struct source_options how = {.interrupt = signals_interrupt()};
    TRY(lines_open(&lines, path, &how, why));
    while ((status = lines_next(lines, &line, why)) == STATUS_OK &&
           (status = take_line(rows, path, &line, why)) == STATUS_OK)
        continue;
    lines_close(lines);
    if (status != STATUS_END)
        return status;
    return rows->texts.count > 0 || !rows->has_names ? STATUS_OK : refuse_columns(path, why);
}

/* NULL is allowed. */
static void old_rows_free(struct old_rows *rows)
{
    if (!rows)
        return;
    symbols_free(&rows->names);
    symbols_free(&rows->texts);
    free(rows->texts_of);
    free(rows);
}

/* Reads the table `path`, which may be compressed. It begins with the names of the columns if
 * `has_names`, otherwise with the first row. *out is NULL if there is no such file. The caller
 * owns it (old_rows_free). STATUS_MEANING: it is no table of --stats with the columns of this
 * version, or with names where there are to be none. */
static enum status old_rows_read(struct old_rows **out, const char *path, bool has_names,
                                 struct failure *why)
{
    struct stat facts;
    *out = NULL;
    if (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode))
        return STATUS_OK;
    struct old_rows *rows = calloc(1, sizeof *rows);
    if (!rows)
        return fail_memory(why);
    rows->has_names = has_names;
    enum status status = take_lines(rows, path, why);
    if (status == STATUS_OK)
        *out = rows;
    else
        old_rows_free(rows);
    return status;
}

/* Sets *name to the number of the name of `trace`; NO_SYMBOL: it has no row. */
static enum status find_trace(const struct old_rows *rows, const char *trace, uint32_t *name,
                              struct failure *why)
{
    size_t length;
    char *escaped = escaped_name(old_rows_trace_name(trace), &length);
    if (!escaped)
        return fail_memory(why);
    *name = symbols_find(&rows->names, escaped, length);
    free(escaped);
    return STATUS_OK;
}

/* Sets *has to whether there is a row of `trace` that did not fail; for standard input ("-")
 * never, since its contents may be others. `rows` may be NULL: there are none. */
static enum status old_rows_has(const struct old_rows *rows, const char *trace, bool *has,
                                struct failure *why)
{
    uint32_t name;
    size_t length;
    *has = false;
    if (!rows || rows->names.count == 0 || is_standard_stream(trace))
        return STATUS_OK;
    enum status status = find_trace(rows, trace, &name, why);
    if (status == STATUS_OK && name != NO_SYMBOL) {
        const char *row = row_text(rows, name, &length);
        *has = is_ok(row, length);
    }
    return status;
}

static enum status put_line(const struct old_rows *rows, struct sink *sink, uint32_t text,
                            struct failure *why)
{
    size_t length;
    const char *line = symbols_text(&rows->texts, text, &length);
    TRY(sink_write(sink, line, length, why));
    return sink_write(sink, "\n", 1, why);
}

/* Writes the names of the columns, if the table has them, and the rows of all traces except the
 * `count` at `traces`. */
static enum status old_rows_put_others(const struct old_rows *rows, struct sink *sink,
                                       char *const *traces, size_t count, struct failure *why)
{
    uint32_t name;
    bool *is_given = array_new(rows->names.count, sizeof *is_given);
    enum status status = is_given ? STATUS_OK : fail_memory(why);
    if (status == STATUS_OK && rows->has_names)
        status = put_line(rows, sink, 0, why);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        status = find_trace(rows, traces[i], &name, why);
        if (status == STATUS_OK && name != NO_SYMBOL)
            is_given[name] = true;
    }
    for (name = 0; name < rows->names.count && status == STATUS_OK; name++)
        if (!is_given[name])
            status = put_line(rows, sink, rows->texts_of[name], why);
    free(is_given);
    return status;
}

/* Writes the row of `trace`, which old_rows_has. */
static enum status old_rows_put(const struct old_rows *rows, struct sink *sink,
                                const char *trace, struct failure *why)
{
    uint32_t name;
    TRY(find_trace(rows, trace, &name, why));
    return put_line(rows, sink, rows->texts_of[name], why);
}

bool stats_are_of_failed(const char *path, bool has_names)
{
    struct failure forgotten = {.status = STATUS_OK};
    struct old_rows *rows = NULL;
    bool is_failed = old_rows_read(&rows, path, has_names, &forgotten) == STATUS_OK && rows &&
                     rows->names.count > 0;
    for (uint32_t name = 0; is_failed && name < rows->names.count; name++) {
        size_t length;
        const char *row = row_text(rows, name, &length);
        is_failed = !is_ok(row, length);
    }
    old_rows_free(rows);
    failure_clear(&forgotten);
    return is_failed;
}

/* Whether there is a table at `path`, which may be replaced. When the trace is tried again,
 * that is only one of traces that failed: another process may have written a row by now. */
static bool is_replaceable(const struct options *options, const char *path)
{
    bool has_names = !options->report.no_header;
    struct failure forgotten = {.status = STATUS_OK};
    struct old_rows *rows = NULL;
    if (!options->force)
        return options->redoes_failed && stats_are_of_failed(path, has_names);
    bool is_table = old_rows_read(&rows, path, has_names, &forgotten) == STATUS_OK && rows;
    old_rows_free(rows);
    failure_clear(&forgotten);
    return is_table;
}

/* Whether the row may be written to `path`: nothing is there, or a table that may be replaced.
 */
static bool is_free(const struct options *options, const char *path)
{
    struct stat facts;
    return lstat(path, &facts) != 0 || is_replaceable(options, path);
}

static enum status write_row(const struct options *options, const char *path,
                             struct failure *why)
{
    const char *trace = old_rows_trace_name(options->trace);
    struct sink *sink;
    const struct sink_options how = {.force = options->force || options->redoes_failed,
                                     .input = -1};
    TRY(streams_open_report(&sink, path, &how, why));
    enum status status = stats_put_failed_row(sink, trace, options->report.no_header, why);
    if (status == STATUS_OK)
        return sink_commit(sink, why);
    sink_discard(sink);
    return status;
}

void failed_row_leave(const struct options *options, const struct output *stats,
                      enum status status)
{
    const char *path = stats ? stats->path : NULL;
    struct failure forgotten = {.status = STATUS_OK};
    if (is_standard_stream(path) || options->report.stats_format != FORMAT_TSV ||
        status == STATUS_INTERRUPTED || !is_free(options, path))
        return;
    if (write_row(options, path, &forgotten) != STATUS_OK)
        failure_clear(&forgotten);
}

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
    const char *table;    /* the file of a table, which has one header; NULL: there is none */
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
    TRY(streams_open_report(&collection->sink, collection->table, &how, why));
    return protect_traces(options, why);
}

/* Reads the old table, if there is one, and opens the new one, which begins with the old rows
 * of traces that are not given now. */
static enum status open_output(struct collection *collection, struct failure *why)
{
    const struct options *options = collection->options;
    if (collection->table && options->skip_existing)
        TRY(old_rows_read(&collection->old, collection->table, !options->report.no_header,
                          why));
    TRY(open_collected(collection, why));
    collection->has_names = options->report.no_header || collection->old;
    if (!collection->old)
        return STATUS_OK;
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
    collection->table = table;
    enum status status = open_output(collection, why);
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
    TRY(old_rows_has(collection->old, collection->options->traces[trace], has_row, why));
    collection->parts[trace].has_row = *has_row;
    if (*has_row)
        return STATUS_OK;
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
    free(collection);
}
