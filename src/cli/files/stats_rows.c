/* SPDX-License-Identifier: MIT */
/* Rows are kept unchanged, by their first field, the name of the trace, escaped as in tables. A
 * trace that failed also has a row, but is not left out in the next call. Without such a row,
 * nobody would notice in a table, joined from many, that the trace is missing. */
#include "cli/files/stats_rows.h"

#include "base/memory.h"
#include "base/symbols.h"
#include "base/text.h"
#include "cli/files/streams.h"
#include "cli/process/ending.h"
#include "io/lines.h"
#include "io/sink.h"
#include "report/stats/stats_print.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char status_ok[] = "\tok";

struct old_rows {
    struct symbols names; /* of traces, escaped */
    struct symbols texts; /* the line of column names, if there is one, and the rows */
    bool has_names;       /* the first line has the names of the columns */
    uint32_t *texts_of;   /* by name: the number of the row that counts */
    size_t capacity;
};

const char *old_rows_trace_name(const char *trace)
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
    enum status status = symbols_add(&rows->texts, line->text, line->length, &text, why);
    if (status == STATUS_OK)
        status = symbols_add(&rows->names, line->text, (size_t)(end - line->text), &name, why);
    if (status != STATUS_OK)
        return status;
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
    enum status status = lines_open(&lines, path, signals_interrupt(), why);
    if (status != STATUS_OK)
        return status;
    while ((status = lines_next(lines, &line, why)) == STATUS_OK) {
        status = take_line(rows, path, &line, why);
        if (status != STATUS_OK)
            break;
    }
    lines_close(lines);
    if (status == STATUS_END)
        status =
            rows->texts.count > 0 || !rows->has_names ? STATUS_OK : refuse_columns(path, why);
    return status;
}

enum status old_rows_read(struct old_rows **out, const char *path, bool has_names,
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

enum status old_rows_has(const struct old_rows *rows, const char *trace, bool *has,
                         struct failure *why)
{
    uint32_t name;
    size_t length;
    *has = false;
    if (!rows || is_standard_stream(trace))
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
    enum status status = sink_write(sink, line, length, why);
    return status == STATUS_OK ? sink_write(sink, "\n", 1, why) : status;
}

enum status old_rows_put_others(const struct old_rows *rows, struct sink *sink,
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

enum status old_rows_put(const struct old_rows *rows, struct sink *sink, const char *trace,
                         struct failure *why)
{
    uint32_t name;
    enum status status = find_trace(rows, trace, &name, why);
    return status == STATUS_OK ? put_line(rows, sink, rows->texts_of[name], why) : status;
}

void old_rows_free(struct old_rows *rows)
{
    if (!rows)
        return;
    symbols_free(&rows->names);
    symbols_free(&rows->texts);
    free(rows->texts_of);
    free(rows);
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
    enum status status = streams_open_report(&sink, path, &how, why);
    if (status != STATUS_OK)
        return status;
    status = stats_put_failed_row(sink, trace, options->report.no_header, why);
    if (status == STATUS_OK)
        return sink_commit(sink, why);
    sink_discard(sink);
    return status;
}

void failed_row_leave(const struct options *options, enum status status)
{
    const char *path = options->reports[REPORT_STATS];
    struct failure forgotten = {.status = STATUS_OK};
    if (is_standard_stream(path) || options->report.stats_format != FORMAT_TSV ||
        status == STATUS_INTERRUPTED || !is_free(options, path))
        return;
    if (write_row(options, path, &forgotten) != STATUS_OK)
        failure_clear(&forgotten);
}
