/* SPDX-License-Identifier: MIT */
/* Each record is one line. A record that replaces or follows another ends its line as that one
 * does, so that CRLF and a missing last line end are preserved. */
#include "formats/classes.h"

#include "base/number.h"
#include "base/text.h"
#include "formats/et/lexer.h"
#include "trace/record.h"

#include <stdlib.h>
#include <string.h>

/* How a line of the output ends. */
enum line_end { LINE_END_LF, LINE_END_CRLF, LINE_END_NONE };

/* A field of the record before. */
struct written_field {
    uint64_t value;
    size_t length; /* of its digits; 0: there is none yet */
    char digits[NUMBER_DIGITS];
};

struct et_writer {
    struct writer base;
    struct sink *sink;
    const struct record_layout *layouts[RECORD_KINDS];
    enum line_end line_end; /* of the line of the next record */
    bool in_line;           /* the output so far does not end with a line end */
    const char *appendix;   /* follows the fields of the next record; NULL: nothing does */
    size_t appendix_length;
    struct written_field fields[RECORD_FIELDS_MAX];
};

static struct et_writer *et_writer_from_base(struct writer *writer)
{
    return (struct et_writer *)writer;
}

static enum status et_writer_open(struct writer **out, struct sink *sink,
                                  const struct writer_options *options, struct failure *why)
{
    (void)options; /* the last field is written as it is, whether thread or time */
    struct et_writer *et = calloc(1, sizeof *et);
    if (!et)
        return fail_memory(why);
    et->base.methods = &et_writer_class;
    et->sink = sink;
    record_layouts_by_kind(et->layouts);
    *out = &et->base;
    return STATUS_OK;
}

static void et_writer_close(struct writer *writer)
{
    free(et_writer_from_base(writer));
}

static void take_line_end(struct et_writer *et, const char *line, size_t length)
{
    if (line[length - 1] != '\n')
        et->line_end = LINE_END_NONE;
    else
        et->line_end = length > 1 && line[length - 2] == '\r' ? LINE_END_CRLF : LINE_END_LF;
}

/* Whether a line may have something after its fields: only few lines have, and those have one
 * of these bytes. */
static bool may_have_appendix(const char *line, size_t length)
{
    return memchr(line, '#', length) || memchr(line, ',', length);
}

static void et_imitate(struct writer *writer, const char *line, size_t length)
{
    struct et_writer *et = et_writer_from_base(writer);
    struct record record;
    take_line_end(et, line, length);
    length = text_line_length(line, length);
    et->appendix = NULL;
    if (!may_have_appendix(line, length) || et_lex(line, length, &record) != ET_RECORD_AND_MORE)
        return;
    size_t begin = et_fields_end(line, length);
    et->appendix = line + begin;
    et->appendix_length = length - begin;
}

static enum status et_text(struct writer *writer, const char *text, size_t length,
                           struct failure *why)
{
    struct et_writer *et = et_writer_from_base(writer);
    if (length == 0)
        return STATUS_OK;
    take_line_end(et, text, length);
    et->in_line = et->line_end == LINE_END_NONE;
    return sink_write(et->sink, text, length, why);
}

static char *put_line_end(char *out, enum line_end line_end)
{
    if (line_end == LINE_END_CRLF)
        *out++ = '\r';
    if (line_end != LINE_END_NONE)
        *out++ = '\n';
    return out;
}

/* Writes the fields of a record, and after them what follows the fields of the line that it
 * imitates. */
static enum status write_with_appendix(struct et_writer *et, const char *fields, size_t length,
                                       struct failure *why)
{
    TRY(sink_write(et->sink, fields, length, why));
    TRY(sink_write(et->sink, et->appendix, et->appendix_length, why));
    et->appendix = NULL;
    return STATUS_OK;
}

/* Writes field `i` of a record to `out`, where NUMBER_DIGITS bytes are overwritten; returns the
 * end of the field. The deaths of a boundary have one time and mostly one thread: a field that
 * is the same as in the record before is not formatted again. */
static char *put_field(struct et_writer *et, size_t i, char *out, uint64_t value)
{
    struct written_field *field = &et->fields[i];
    if (field->value != value || field->length == 0) {
        field->value = value;
        field->length = number_format(field->digits, value);
    }
    memcpy(out, field->digits, NUMBER_DIGITS);
    return out + field->length;
}

static enum status et_record(struct writer *writer, const struct record *record,
                             struct failure *why)
{
    struct et_writer *et = et_writer_from_base(writer);
    const struct record_layout *layout = et->layouts[record->kind];
    char line[1 + 1 + RECORD_FIELDS_MAX * (1 + NUMBER_DIGITS) + 2];
    char *end = line;
    if (et->in_line)
        *end++ = '\n';
    *end++ = (char)record->kind;
    for (size_t i = 0; i < layout->count; i++) {
        *end++ = ' ';
        end = put_field(et, i, end, record_value(record, &layout->fields[i]));
    }
    et->in_line = et->line_end == LINE_END_NONE;
    if (et->appendix) {
        TRY(write_with_appendix(et, line, (size_t)(end - line), why));
        end = line;
    }
    end = put_line_end(end, et->line_end);
    return sink_write(et->sink, line, (size_t)(end - line), why);
}

const struct writer_class et_writer_class = {
    .name = "et",
    .reader = &et_reader_class,
    .open = et_writer_open,
    .text = et_text,
    .imitate = et_imitate,
    .record = et_record,
    .close = et_writer_close,
};
