#include "trace/et_writer.h"

#include "base/number.h"

#include <string.h>

static enum line_end find_line_end(const char *text, size_t length)
{
    if (text[length - 1] != '\n')
        return LINE_END_NONE;
    return length > 1 && text[length - 2] == '\r' ? LINE_END_CRLF : LINE_END_LF;
}

static enum status write_text(struct writer *base, const char *text, size_t length,
                              struct failure *why)
{
    struct et_writer *writer = (struct et_writer *)base;
    if (length == 0)
        return STATUS_OK;
    writer->line_end = find_line_end(text, length);
    return sink_write(writer->sink, text, length, why);
}

static char *put_field(char *out, uint64_t value)
{
    *out++ = ' ';
    return out + number_format(out, value);
}

static enum status write_death(struct writer *base, const struct record *record,
                               struct failure *why)
{
    struct et_writer *writer = (struct et_writer *)base;
    char line[1 + 1 + 3 * (1 + NUMBER_DIGITS) + 2];
    char *end = line;
    if (writer->line_end == LINE_END_NONE)
        *end++ = '\n';
    *end++ = RECORD_DEATH;
    end = put_field(end, record->object);
    end = put_field(end, record->death_thread);
    end = put_field(end, record->time);
    if (writer->line_end == LINE_END_CRLF)
        *end++ = '\r';
    if (writer->line_end != LINE_END_NONE)
        *end++ = '\n';
    return sink_write(writer->sink, line, (size_t)(end - line), why);
}

static const struct writer_class et_writer_class = {
    .name = "et",
    .text = write_text,
    .record = write_death,
};

void et_writer_init(struct et_writer *writer, struct sink *sink)
{
    *writer = (struct et_writer){.base = {.class = &et_writer_class}, .sink = sink};
}
