/* Rows are gathered in a buffer: a sink is not called for each number. */
#include "report/table.h"

#include "base/number.h"
#include "io/codec.h"

#include <stdlib.h>
#include <string.h>

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

static void flush(struct table *table)
{
    if (table->status == STATUS_OK)
        table->status = sink_write(table->sink, table->buffer, table->length, table->why);
    table->length = 0;
}

/* Room for `length` bytes, few of them. */
static char *room(struct table *table, size_t length)
{
    if (table->length + length > TABLE_BUFFER)
        flush(table);
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
    begin_field(table);
    table->length += number_format(room(table, NUMBER_DIGITS), number);
}

void table_letter(struct table *table, char letter)
{
    begin_field(table);
    put_byte(table, letter);
}

void table_empty(struct table *table)
{
    begin_field(table);
}

void table_text(struct table *table, const char *text)
{
    bool is_quoted = table->separator == ',' && strpbrk(text, ",\"\r\n");
    begin_field(table);
    if (is_quoted)
        put_byte(table, '"');
    for (; *text; text++) {
        if (*text == '"' && is_quoted)
            put_byte(table, '"');
        bool is_space = table->separator == '\t' && strchr("\t\r\n", *text);
        put_byte(table, is_space ? ' ' : *text);
    }
    if (is_quoted)
        put_byte(table, '"');
}

void table_names(struct table *table, const char *names)
{
    begin_field(table);
    for (; *names; names++)
        put_byte(table, *names == ' ' ? table->separator : *names);
}

void table_end_row(struct table *table)
{
    put_byte(table, '\n');
    table->in_row = false;
}

enum status table_end(struct table *table)
{
    if (table->buffer)
        flush(table);
    free(table->buffer);
    table->buffer = NULL;
    return table->status;
}
