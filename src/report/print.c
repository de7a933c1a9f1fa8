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

/* Room for a character in a string. */
enum { STRING_CHARACTER = 8 };

/* Writes the character at `text`, or one byte that belongs to none, to `out` as a string has
 * it, and its length there to *length. Returns how many bytes of `text` were taken. */
static size_t string_character(char *out, size_t *length, const char *text, size_t left)
{
    size_t shown = text_shown_length(text, left);
    *length = 0;
    if (shown == 0 || *text == '"' || *text == '\\')
        out[(*length)++] = '\\';
    if (shown == 0) {
        *length += text_escape(out + 1, (unsigned char)*text);
        return 1;
    }
    memcpy(out + *length, text, shown);
    *length += shown;
    return shown;
}

/* The same, for a script within HTML. */
static size_t script_character(char *out, size_t *length, const char *text, size_t left)
{
    if (*text != '<' && *text != '>' && *text != '&')
        return string_character(out, length, text, left);
    *length = (size_t)snprintf(out, STRING_CHARACTER, "\\u%04x", (unsigned char)*text);
    return 1;
}

/* The code of a control, or of a mark that reverses or ends lines, at `text`; 0: it is none.
 * Sets *length to its bytes in `text`. */
static unsigned control_at(const char *text, size_t left, size_t *length)
{
    const unsigned char *bytes = (const unsigned char *)text;
    *length = bytes[0] < 0x80 ? 1 : bytes[0] == 0xc2 ? 2 : 3;
    if (text_shown_length(text, left) > 0 || left < *length)
        return 0;
    if (*length == 1)
        return bytes[0];
    if (*length == 2)
        return bytes[1] >= 0x80 && bytes[1] <= 0x9f ? bytes[1] : 0;
    bool is_mark = bytes[0] == 0xe2 && (bytes[1] & 0xfe) == 0x80 && (bytes[2] & 0xc0) == 0x80;
    return is_mark ? 0x2000u | (bytes[1] & 0x3fu) << 6 | (bytes[2] & 0x3fu) : 0;
}

/* As string_character, for programs. A byte that belongs to no character becomes \\xHH. */
static size_t exact_character(char *out, size_t *length, const char *text, size_t left)
{
    size_t taken;
    unsigned control = control_at(text, left, &taken);
    if (control > 0) {
        *length = (size_t)snprintf(out, STRING_CHARACTER, "\\u%04X", control & 0xffffu);
        return taken;
    }
    if (text_shown_length(text, left) > 0)
        return string_character(out, length, text, left);
    *length = (size_t)snprintf(out, STRING_CHARACTER, "\\\\x%02x", (unsigned char)*text);
    return 1;
}

static void print_string(struct print *print, const char *text, size_t most,
                         size_t (*character_of)(char *out, size_t *length, const char *text,
                                                size_t left))
{
    static const char cut[] = "\xe2\x80\xa6";
    char character[STRING_CHARACTER];
    size_t left = strlen(text), length;
    print_bytes(print, "\"", 1);
    while (left > 0 && print->status == STATUS_OK) {
        size_t taken = character_of(character, &length, text, left);
        if (length > most) {
            print_bytes(print, cut, strlen(cut));
            break;
        }
        print_bytes(print, character, length);
        most -= length;
        text += taken;
        left -= taken;
    }
    print_bytes(print, "\"", 1);
}

void json_print_exact(struct print *print, const char *text)
{
    print_string(print, text, SIZE_MAX, exact_character);
}

void json_print_cut_string(struct print *print, const char *text, size_t most)
{
    print_string(print, text, most, script_character);
}

void json_print_string(struct print *print, const char *text)
{
    json_print_cut_string(print, text, SIZE_MAX);
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

/* Makes a call for the columns of a table instead of what follows, if it has columns. */
#define IN_COLUMNS(table, call)                                                                \
    do {                                                                                       \
        if ((table)->columns) {                                                                \
            if ((table)->status == STATUS_OK)                                                  \
                (table)->status = (call);                                                      \
            return;                                                                            \
        }                                                                                      \
    } while (false)

void table_number(struct table *table, uint64_t number)
{
    IN_COLUMNS(table, columns_put_number(table->columns, number, table->why));
    char *begin = room(table, 1 + NUMBER_DIGITS), *at = begin;
    if (table->in_row)
        *at++ = table->separator;
    table->in_row = true;
    at += number_format(at, number);
    table->length += (size_t)(at - begin);
}

void table_letter(struct table *table, char letter)
{
    IN_COLUMNS(table, columns_put_text(table->columns, &letter, 1, table->why));
    begin_field(table);
    put_byte(table, letter);
}

void table_empty(struct table *table)
{
    IN_COLUMNS(table, columns_put_empty(table->columns, table->why));
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
    IN_COLUMNS(table, columns_put_text(table->columns, text, strlen(text), table->why));
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
    IN_COLUMNS(table, columns_add(table->columns, names, table->why));
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
