#include "trace/et_writer.h"

#include "base/number.h"

#include <stdlib.h>

/* How a line of the output ends. */
enum line_end { LINE_END_LF, LINE_END_CRLF, LINE_END_NONE };

enum { FIELDS_MAX = 6 };

struct et_writer {
    struct writer base;
    struct sink *sink;
    enum line_end line_end; /* of the next record's line */
    bool in_line;           /* the output does not end with a line end */
};

static struct et_writer *from_base(struct writer *writer)
{
    return (struct et_writer *)writer;
}

static enum status et_open(struct writer **out, struct sink *sink,
                           const struct writer_options *options, struct failure *why)
{
    (void)options; /* the last field of a record is written as it is, thread or time */
    struct et_writer *et = calloc(1, sizeof *et);
    if (!et)
        return fail_memory(why);
    et->base.class = &et_writer_class;
    et->sink = sink;
    *out = &et->base;
    return STATUS_OK;
}

static void et_close(struct writer *writer)
{
    free(from_base(writer));
}

static void et_imitate(struct writer *writer, const char *line, size_t length)
{
    struct et_writer *et = from_base(writer);
    if (line[length - 1] != '\n')
        et->line_end = LINE_END_NONE;
    else
        et->line_end = length > 1 && line[length - 2] == '\r' ? LINE_END_CRLF : LINE_END_LF;
}

static enum status et_text(struct writer *writer, const char *text, size_t length,
                           struct failure *why)
{
    struct et_writer *et = from_base(writer);
    if (length == 0)
        return STATUS_OK;
    et_imitate(writer, text, length);
    et->in_line = et->line_end == LINE_END_NONE;
    return sink_write(et->sink, text, length, why);
}

/* Puts the fields of `record` in the order of its line into `fields`; returns how many. */
static size_t list_fields(const struct record *record, uint64_t fields[FIELDS_MAX])
{
    size_t count = 0;
    switch ((enum record_kind)record->kind) {
    case RECORD_OBJECT:
    case RECORD_ARRAY:
    case RECORD_INITIAL:
    case RECORD_PREEXISTING:
    case RECORD_VM:
        fields[count++] = record->object;
        fields[count++] = record->size;
        fields[count++] = record->type;
        fields[count++] = record->site;
        fields[count++] = record->length;
        break;
    case RECORD_ENTRY:
        fields[count++] = record->method;
        fields[count++] = record->receiver;
        break;
    case RECORD_EXIT:
        fields[count++] = record->method;
        break;
    case RECORD_EXCEPTION_EXIT:
    case RECORD_THROW:
    case RECORD_CATCH:
        fields[count++] = record->method;
        fields[count++] = record->receiver;
        fields[count++] = record->exception;
        break;
    case RECORD_UPDATE:
        fields[count++] = record->container;
        fields[count++] = record->value;
        fields[count++] = record->field;
        break;
    case RECORD_WITNESS:
        fields[count++] = record->object;
        fields[count++] = record->class_id;
        break;
    case RECORD_DEATH:
        fields[count++] = record->object;
        fields[count++] = record->death_thread;
        break;
    }
    fields[count++] = record->thread;
    return count;
}

static char *put_line_end(char *out, enum line_end line_end)
{
    if (line_end == LINE_END_CRLF)
        *out++ = '\r';
    if (line_end != LINE_END_NONE)
        *out++ = '\n';
    return out;
}

static enum status et_record(struct writer *writer, const struct record *record,
                             struct failure *why)
{
    struct et_writer *et = from_base(writer);
    uint64_t fields[FIELDS_MAX];
    char line[1 + 1 + FIELDS_MAX * (1 + NUMBER_DIGITS) + 2];
    char *end = line;
    size_t count = list_fields(record, fields);
    if (et->in_line)
        *end++ = '\n';
    *end++ = (char)record->kind;
    for (size_t i = 0; i < count; i++) {
        *end++ = ' ';
        end += number_format(end, fields[i]);
    }
    end = put_line_end(end, et->line_end);
    et->in_line = et->line_end == LINE_END_NONE;
    return sink_write(et->sink, line, (size_t)(end - line), why);
}

const struct writer_class et_writer_class = {
    .name = "et",
    .open = et_open,
    .text = et_text,
    .imitate = et_imitate,
    .record = et_record,
    .close = et_close,
};
