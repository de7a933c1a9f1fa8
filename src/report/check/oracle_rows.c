/* SPDX-License-Identifier: MIT */
/* A form is a list of columns, each with the member of struct oracle_row that it fills, so that
 * one loop reads all three forms. Fields are split as in RFC 4180, but a quoted field may not
 * have line breaks: no class name has one, and a quote that is left open would swallow the
 * file. */
#include "report/check/oracle_rows.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "io/lines.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MAX = 7 };

enum column_kind { COLUMN_NUMBER, COLUMN_NAME, COLUMN_EVENT, COLUMN_UNUSED };

struct oracle_column {
    const char *name;
    enum column_kind kind;
    size_t offset; /* of a number, in struct oracle_row */
};

#define NUMBER(name, member) {name, COLUMN_NUMBER, offsetof(struct oracle_row, member)}
#define OTHER(name, kind) {name, kind, 0}

static const struct form {
    size_t count;
    struct oracle_column columns[COLUMNS_MAX];
} forms[] = {
    [ORACLE_EVENTS] = {7,
                       {NUMBER("timestamp", sequence), OTHER("event_type", COLUMN_EVENT),
                        NUMBER("object_id", object), NUMBER("size", size),
                        OTHER("site_id", COLUMN_UNUSED), NUMBER("thread_id", thread),
                        OTHER("type_id", COLUMN_NAME)}},
    [ORACLE_OBJECTS] = {5,
                        {NUMBER("alloc_seq", sequence), NUMBER("free_at_seq", free_sequence),
                         NUMBER("size", size), OTHER("type", COLUMN_NAME),
                         NUMBER("obj_id", object)}},
    [ORACLE_THREADS] = {7,
                        {NUMBER("thread_id", thread), NUMBER("thread_seq", sequence),
                         NUMBER("free_thread", free_thread), NUMBER("free_seq", free_sequence),
                         NUMBER("size", size), OTHER("type", COLUMN_NAME),
                         NUMBER("obj_id", object)}},
};

struct field {
    const char *text;
    size_t length;
};

struct oracle_rows {
    struct lines *lines;
    enum oracle_form form;
    bool has_first; /* `line` is the first row, which oracle_rows_next has not returned yet */
    struct line line;
    uint64_t last;  /* the sequence of the row before */
    char *unquoted; /* the quoted fields of the row, one after the other */
    size_t unquoted_capacity, unquoted_length;
};

const char *oracle_rows_name(const struct oracle_rows *rows)
{
    return lines_name(rows->lines);
}

enum status oracle_rows_reject(const struct oracle_rows *rows, uint64_t line, const char *what,
                               struct failure *why)
{
    return fail_at(why, STATUS_MEANING, oracle_rows_name(rows), line, "%s", what);
}

static enum status reject_row(const struct oracle_rows *rows, const char *what,
                              struct failure *why)
{
    char shown[TEXT_QUOTE_SIZE];
    return fail_at(why, STATUS_SYNTAX, oracle_rows_name(rows), rows->line.number, "%s: %s",
                   what, text_quote(shown, rows->line.text, rows->line.length));
}

/* Takes a quoted field whose opening quote is at `at`. Returns where it ends; NULL: it has no
 * closing quote. */
static const char *unquote(struct oracle_rows *rows, const char *at, const char *end,
                           struct field *field)
{
    char *out = rows->unquoted + rows->unquoted_length;
    field->text = out;
    for (at++; at < end; at++) {
        if (*at == '"') {
            if (at + 1 == end || at[1] != '"')
                break;
            at++;
        }
        *out++ = *at;
    }
    field->length = (size_t)(out - field->text);
    rows->unquoted_length += field->length;
    return at < end ? at + 1 : NULL;
}

/* Splits the line; *count becomes the number of fields, of which the first COLUMNS_MAX are
 * kept. */
static enum status split_row(struct oracle_rows *rows, struct field *fields, size_t *count,
                             struct failure *why)
{
    const char *at = rows->line.text, *end = at + rows->line.length;
    if (!ARRAY_RESERVE(rows->unquoted, rows->unquoted_capacity, rows->line.length + 1))
        return fail_memory(why);
    rows->unquoted_length = 0;
    for (*count = 0;; at++) {
        struct field field = {.text = at};
        if (at < end && *at == '"') {
            at = unquote(rows, at, end, &field);
            if (!at || (at < end && *at != ','))
                return reject_row(rows,
                                  "A quoted field does not end with a quote before a comma or "
                                  "the end of the line",
                                  why);
        } else {
            const char *comma = memchr(at, ',', (size_t)(end - at));
            at = comma ? comma : end;
            field.length = (size_t)(at - field.text);
        }
        if (*count < COLUMNS_MAX)
            fields[*count] = field;
        ++*count;
        if (at == end)
            return STATUS_OK;
    }
}

static bool field_is(struct field field, const char *word)
{
    return strlen(word) == field.length && memcmp(word, field.text, field.length) == 0;
}

static bool is_head(const struct form *form, const struct field *fields, size_t count)
{
    if (count != form->count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!field_is(fields[i], form->columns[i].name))
            return false;
    return true;
}

static bool is_event(struct field field)
{
    return field_is(field, "alloc") || field_is(field, "free");
}

static enum status fill_field(const struct oracle_rows *rows,
                              const struct oracle_column *column, struct field field,
                              struct oracle_row *row, struct failure *why)
{
    switch (column->kind) {
    case COLUMN_NUMBER:
        if (number_parse(field.text, field.length,
                         (uint64_t *)(void *)((char *)row + column->offset)) == NUMBER_OK)
            return STATUS_OK;
        break;
    case COLUMN_EVENT:
        row->is_free = field_is(field, "free");
        if (is_event(field))
            return STATUS_OK;
        break;
    case COLUMN_NAME:
        row->type = field.text;
        row->type_length = field.length;
        return STATUS_OK;
    case COLUMN_UNUSED:
        return STATUS_OK;
    }
    char what[64];
    snprintf(what, sizeof what, "The %s is no %s", column->name,
             column->kind == COLUMN_EVENT ? "alloc or free" : "number that fits 64 bits");
    return reject_row(rows, what, why);
}

/* Whether the row may follow the one before. */
static enum status check_row_order(struct oracle_rows *rows, const struct oracle_row *row,
                                   struct failure *why)
{
    uint64_t last = rows->last;
    rows->last = row->sequence;
    if (rows->form == ORACLE_OBJECTS && row->sequence < last)
        return reject_row(rows, "The number of the allocation goes backwards", why);
    if (rows->form == ORACLE_EVENTS && row->sequence < last)
        return reject_row(rows, "The time goes backwards", why);
    return STATUS_OK;
}

static enum status read_row(struct oracle_rows *rows, struct oracle_row *row,
                            struct failure *why)
{
    const struct form *form = &forms[rows->form];
    struct field fields[COLUMNS_MAX];
    size_t count;
    TRY(split_row(rows, fields, &count, why));
    if (count != form->count)
        return reject_row(
            rows, "The row has a different number of fields than an oracle of this form", why);
    *row = (struct oracle_row){.line = rows->line.number};
    for (size_t i = 0; i < count; i++)
        TRY(fill_field(rows, &form->columns[i], fields[i], row, why));
    return check_row_order(rows, row, why);
}

/* Finds the form from the first line, which is a head or a row. */
static enum status find_form(struct oracle_rows *rows, struct failure *why)
{
    struct field fields[COLUMNS_MAX];
    size_t count;
    uint64_t number;
    TRY(split_row(rows, fields, &count, why));
    for (size_t i = 0; i < ORACLE_FORMS; i++) {
        rows->form = (enum oracle_form)i;
        if (is_head(&forms[i], fields, count))
            return STATUS_OK;
    }
    rows->has_first = true;
    rows->form = count == forms[ORACLE_OBJECTS].count ? ORACLE_OBJECTS
                 : count > 1 && is_event(fields[1])   ? ORACLE_EVENTS
                                                      : ORACLE_THREADS;
    if (count == forms[rows->form].count &&
        number_parse(fields[0].text, fields[0].length, &number) == NUMBER_OK)
        return STATUS_OK;
    return reject_row(rows,
                      "This is no oracle: its first line is neither the column names nor a row "
                      "of --oracle-form=events, objects or threads",
                      why);
}

enum status oracle_rows_open(struct oracle_rows **out, const char *path,
                             const struct interrupt *interrupt, struct failure *why)
{
    struct oracle_rows *rows = calloc(1, sizeof *rows);
    if (!rows)
        return fail_memory(why);
    rows->form = ORACLE_OBJECTS;
    const struct source_options how = {.interrupt = interrupt};
    enum status status = lines_open(&rows->lines, path, &how, why);
    if (status == STATUS_OK)
        status = lines_next(rows->lines, &rows->line, why);
    if (status == STATUS_OK)
        status = find_form(rows, why);
    if (status != STATUS_OK && status != STATUS_END) {
        oracle_rows_close(rows);
        return status;
    }
    *out = rows;
    return STATUS_OK;
}

enum oracle_form oracle_rows_form(const struct oracle_rows *rows)
{
    return rows->form;
}

enum status oracle_rows_next(struct oracle_rows *rows, struct oracle_row *row,
                             struct failure *why)
{
    enum status status = STATUS_OK;
    if (!rows->has_first)
        status = lines_next(rows->lines, &rows->line, why);
    rows->has_first = false;
    return status == STATUS_OK ? read_row(rows, row, why) : status;
}

void oracle_rows_close(struct oracle_rows *rows)
{
    if (!rows)
        return;
    lines_close(rows->lines);
    free(rows->unquoted);
    free(rows);
}
