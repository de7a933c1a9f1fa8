/* A buffer holds the line that is wanted and some that follow it; what is left of it moves to
 * the front before more is read. A line that does not fit makes it larger. */
#include "io/lines.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { READ_SIZE = 64 * 1024, LONGEST_LINE = 1024 * 1024 * 1024 };

struct lines {
    struct source *source;
    char *buffer;
    size_t capacity;
    size_t begin; /* of what has not been delivered */
    size_t end;
    bool at_end; /* of the file */
    uint64_t number;
};

enum status lines_open(struct lines **out, const char *path, const struct interrupt *interrupt,
                       struct failure *why)
{
    const struct source_options how = {.spool = SPOOL_NEVER, .interrupt = interrupt};
    struct lines *lines = calloc(1, sizeof *lines);
    if (!lines)
        return fail_memory(why);
    enum status status = source_open(&lines->source, path, &how, why);
    if (status != STATUS_OK) {
        free(lines);
        return status;
    }
    *out = lines;
    return STATUS_OK;
}

static enum status read_more(struct lines *lines, struct failure *why)
{
    size_t left = lines->end - lines->begin, got = 0;
    if (left > 0)
        memmove(lines->buffer, lines->buffer + lines->begin, left);
    lines->begin = 0;
    lines->end = left;
    char *buffer = array_grow(lines->buffer, &lines->capacity, left + READ_SIZE, 1);
    if (!buffer)
        return fail_memory(why);
    lines->buffer = buffer;
    enum status status =
        source_read(lines->source, buffer + left, lines->capacity - left, &got, why);
    if (status != STATUS_OK)
        return status;
    lines->end += got;
    lines->at_end = got == 0;
    return STATUS_OK;
}

enum status lines_next(struct lines *lines, struct line *line, struct failure *why)
{
    const char *line_end = NULL;
    for (size_t searched = 0;;) {
        const char *text = lines->buffer ? lines->buffer + lines->begin : "";
        size_t left = lines->end - lines->begin;
        line_end = memchr(text + searched, '\n', left - searched);
        if (line_end || lines->at_end)
            break;
        searched = left;
        if (left > LONGEST_LINE)
            return fail_at(why, STATUS_SYNTAX, lines_name(lines), lines->number + 1,
                           "This line is longer than 1 GiB");
        enum status status = read_more(lines, why);
        if (status != STATUS_OK)
            return status;
    }
    if (lines->begin == lines->end)
        return STATUS_END;
    const char *text = lines->buffer + lines->begin;
    size_t length = line_end ? (size_t)(line_end + 1 - text) : lines->end - lines->begin;
    lines->begin += length;
    *line = (struct line){text, text_line_length(text, length), ++lines->number, line_end};
    return STATUS_OK;
}

const char *lines_name(const struct lines *lines)
{
    return source_name(lines->source);
}

void lines_close(struct lines *lines)
{
    if (!lines)
        return;
    source_close(lines->source);
    free(lines->buffer);
    free(lines);
}
