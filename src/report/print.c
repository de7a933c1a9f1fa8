/* SPDX-License-Identifier: MIT */
/* The first failure is kept: after it, printing has no effect, and it is reported once, at the
 * end, so that callers need not check each text or field. Rows of tables are gathered in a
 * buffer, so that the sink is not called for each number. */
#include "report/print.h"

#include "base/number.h"
#include "base/text.h"
#include "io/codec/codec.h"
#include "report/columns.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void print_bytes(struct print *print, const char *bytes, size_t length)
{
    if (print->status == STATUS_OK)
        print->status = sink_write(print->sink, bytes, length, print->why);
}

/* Prints text, with what is not to be shown escaped; with `has_lines`, line ends and tabs stay.
 */
static void print_escaped(struct print *print, const char *text, size_t length, bool has_lines)
{
    while (length > 0) {
        char escaped[TEXT_ESCAPE_SIZE];
        size_t plain = 0, shown;
        while (plain < length &&
               ((shown = text_shown_length(text + plain, length - plain)) > 0 ||
                (has_lines && (text[plain] == '\n' || text[plain] == '\t'))))
            plain += shown > 0 ? shown : 1;
        print_bytes(print, text, plain);
        if (plain == length)
            return;
        print_bytes(print, escaped, text_escape(escaped, (unsigned char)text[plain]));
        text += plain + 1;
        length -= plain + 1;
    }
}

void print_shown(struct print *print, const char *text)
{
    print_escaped(print, text, strlen(text), false);
}

void print_text(struct print *print, const char *format, ...)
{
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length < sizeof line) {
        print_escaped(print, line, length < 0 ? 0 : (size_t)length, true);
        return;
    }
    char *text = malloc((size_t)length + 1);
    if (!text) {
        if (print->status == STATUS_OK)
            print->status = fail_memory(print->why);
        return;
    }
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    print_escaped(print, text, (size_t)length, true);
    free(text);
}

/* A field of CSV that has one of these is quoted. */
static const char kept_by_quotes[] = ",\"\t\r\n";

static bool is_csv(const char *path)
{
    const struct codec *codec = codec_of_path(path);
    size_t length = strlen(path) - (codec ? strlen(codec->suffix) : 0);
    return length >= 4 && memcmp(path + length - 4, ".csv", 4) == 0;
}

enum status table_begin(struct table *table, struct sink *sink, const char *path,
                        struct failure *why)
{
    *table = (struct table){
        .sink = sink,
        .why = why,
        .separator = is_csv(path) ? ',' : '\t',
        .buffer = malloc(TABLE_BUFFER),
    };
    return table->buffer ? STATUS_OK : fail_memory(why);
}

enum status table_begin_columns(struct table *table, const char *folder, const char *shown,
                                uint64_t rows, const struct interrupt *interrupt,
                                struct failure *why)
{
    *table = (struct table){.why = why};
    return columns_new(&table->columns, folder, shown, rows, interrupt, why);
}

static void table_flush(struct table *table)
{
    if (table->status == STATUS_OK)
        table->status = sink_write(table->sink, table->buffer, table->length, table->why);
    table->length = 0;
}

/* Makes room for `length` bytes, at most TABLE_BUFFER; returns where. */
static char *room(struct table *table, size_t length)
{
    if (table->length + length > TABLE_BUFFER)
        table_flush(table);
    return table->buffer + table->length;
}

static void put_byte(struct table *table, char byte)
{
    *room(table, 1) = byte;
    table->length++;
}

static void begin_field(struct table *table)
{
    if (table->in_row)
        put_byte(table, table->separator);
    table->in_row = true;
}

void table_number(struct table *table, uint64_t number)
{
    if (table->columns) {
        if (table->status == STATUS_OK)
            table->status = columns_put_number(table->columns, number, table->why);
        return;
    }
    char *begin = room(table, 1 + NUMBER_DIGITS), *at = begin;
    if (table->in_row)
        *at++ = table->separator;
    table->in_row = true;
    at += number_format(at, number);
    table->length += (size_t)(at - begin);
}

void table_letter(struct table *table, char letter)
{
    if (table->columns) {
        if (table->status == STATUS_OK)
            table->status = columns_put_text(table->columns, &letter, 1, table->why);
        return;
    }
    begin_field(table);
    put_byte(table, letter);
}

void table_empty(struct table *table)
{
    if (table->columns) {
        if (table->status == STATUS_OK)
            table->status = columns_put_empty(table->columns, table->why);
        return;
    }
    begin_field(table);
}

/* Puts the character at `text`, which has `length` bytes; returns the length of the character.
 * What is not to be shown is escaped, unless it may stand within quotes; a backslash is
 * doubled. */
static size_t put_character(struct table *table, const char *text, size_t length,
                            bool is_quoted)
{
    size_t shown = text_shown_length(text, length);
    if (shown == 0 && is_quoted && strchr(kept_by_quotes, *text))
        shown = 1;
    if (shown == 0) {
        table->length += text_escape(room(table, TEXT_ESCAPE_SIZE), (unsigned char)*text);
        return 1;
    }
    if (*text == '\\' || (*text == '"' && is_quoted))
        put_byte(table, *text);
    for (size_t i = 0; i < shown; i++)
        put_byte(table, text[i]);
    return shown;
}

void table_text(struct table *table, const char *text)
{
    if (table->columns) {
        if (table->status == STATUS_OK)
            table->status = columns_put_text(table->columns, text, strlen(text), table->why);
        return;
    }
    bool is_quoted = table->separator == ',' && strpbrk(text, kept_by_quotes);
    begin_field(table);
    if (is_quoted)
        put_byte(table, '"');
    for (size_t left = strlen(text); left > 0;) {
        size_t taken = put_character(table, text, left, is_quoted);
        text += taken;
        left -= taken;
    }
    if (is_quoted)
        put_byte(table, '"');
}

void table_names(struct table *table, const char *names)
{
    if (table->columns) {
        if (table->status == STATUS_OK)
            table->status = columns_add(table->columns, names, table->why);
        return;
    }
    begin_field(table);
    for (; *names; names++)
        put_byte(table, *names == ' ' ? table->separator : *names);
}

void table_comment(struct table *table, const char *line)
{
    while (*line)
        put_byte(table, *line++);
    put_byte(table, '\n');
}

void table_end_row(struct table *table)
{
    if (table->columns) {
        columns_end_row(table->columns);
        return;
    }
    put_byte(table, '\n');
    table->in_row = false;
}

enum status table_end(struct table *table)
{
    if (table->buffer)
        table_flush(table);
    if (table->columns && table->status == STATUS_OK)
        table->status = columns_end(table->columns, table->why);
    table_free(table);
    return table->status;
}

void table_free(struct table *table)
{
    free(table->buffer);
    table->buffer = NULL;
    columns_free(table->columns);
    table->columns = NULL;
}
