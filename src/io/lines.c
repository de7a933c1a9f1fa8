/* SPDX-License-Identifier: MIT */
/* A buffer holds the line that is wanted and some that follow it; what is left of it moves to
 * the front before more is read. A line that does not fit makes it larger, up to a bound: a
 * compressed file of a few kilobytes can have a line of gigabytes. Where such lines mean
 * something, as strings do, they come in parts. */
#include "io/lines.h"

#include "base/memory.h"
#include "base/text.h"
#include "io/path.h"

#include <stdlib.h>
#include <string.h>

enum { READ_SIZE = 128 * 1024 };

struct lines {
    lines_input input;
    void *context;
    const char *name;
    struct source *source; /* that was opened for the lines; NULL: they have another input */
    char *buffer;
    size_t capacity;
    size_t begin; /* of what has not been delivered */
    size_t end;
    bool at_end;  /* of the input */
    bool in_line; /* what comes next belongs to a line that was cut */
    uint64_t number;
};

static enum status read_file(void *context, void *bytes, size_t capacity, size_t *got,
                             struct failure *why)
{
    return source_read(context, bytes, capacity, got, why);
}

enum status lines_over(struct lines **out, lines_input input, void *context, const char *name,
                       struct failure *why)
{
    struct lines *lines = calloc(1, sizeof *lines);
    if (!lines)
        return fail_memory(why);
    lines->input = input;
    lines->context = context;
    lines->name = name;
    *out = lines;
    return STATUS_OK;
}

enum status lines_open(struct lines **out, const char *path, const struct source_options *how,
                       struct failure *why)
{
    struct source *source;
    struct source_options once = how ? *how : (struct source_options){.interrupt = NULL};
    once.spool = SPOOL_ONCE;
    TRY(source_open(&source, path, &once, why));
    enum status status = lines_over(out, read_file, source, source_name(source), why);
    if (status == STATUS_OK)
        (*out)->source = source;
    else
        source_close(source);
    return status;
}

bool lines_are_cut(const struct lines *lines)
{
    return lines->source && source_is_cut(lines->source);
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
    TRY(lines->input(lines->context, buffer + left, READ_SIZE, &got, why));
    lines->end += got;
    lines->at_end = got == 0;
    return STATUS_OK;
}

/* Reads on until there is a line end, more than `most` bytes, or no more. *line_end becomes the
 * line end, or NULL. */
static enum status find_line_end(struct lines *lines, size_t most, const char **line_end,
                                 struct failure *why)
{
    enum status status = STATUS_OK;
    for (size_t searched = 0; status == STATUS_OK;) {
        size_t left = lines->end - lines->begin;
        *line_end = left > searched
                        ? memchr(lines->buffer + lines->begin + searched, '\n', left - searched)
                        : NULL;
        if (*line_end || lines->at_end || left > most)
            break;
        searched = left;
        status = read_more(lines, why);
    }
    return status;
}

/* Delivers what the buffer has of the present line. */
static void deliver(struct lines *lines, const char *line_end, struct line *line)
{
    const char *text = lines->buffer + lines->begin;
    size_t length = line_end ? (size_t)(line_end + 1 - text) : lines->end - lines->begin;
    *line = (struct line){.text = text,
                          .length = text_line_length(text, length),
                          .number = lines->number,
                          .has_end = line_end,
                          .is_cut = !line_end && !lines->at_end};
    lines->begin += length;
    lines->in_line = line->is_cut;
}

enum status lines_go_on(struct lines *lines, struct line *line, struct failure *why)
{
    const char *line_end;
    TRY(find_line_end(lines, 0, &line_end, why));
    deliver(lines, line_end, line);
    return STATUS_OK;
}

/* An editor puts the mark there; it would be part of a name, or of the first number. */
static enum status refuse_byte_order_mark(const struct lines *lines, const struct line *line,
                                          struct failure *why)
{
    if (!lines->source || line->number != 1 || line->length < 3 ||
        memcmp(line->text, "\xef\xbb\xbf", 3) != 0)
        return STATUS_OK;
    return fail_at(why, STATUS_SYNTAX, lines->name, 1,
                   "The file begins with a byte order mark: take its 3 bytes off, as in "
                   "tail -c +4");
}

enum status lines_begin(struct lines *lines, struct line *line, struct failure *why)
{
    const char *line_end;
    enum status status = STATUS_OK;
    while (lines->in_line && status == STATUS_OK)
        status = lines_go_on(lines, line, why);
    if (status == STATUS_OK)
        status = find_line_end(lines, LINE_LONGEST, &line_end, why);
    if (status != STATUS_OK)
        return status;
    if (lines->begin == lines->end)
        return STATUS_END;
    lines->number++;
    deliver(lines, line_end, line);
    return refuse_byte_order_mark(lines, line, why);
}

enum status lines_refuse(const struct lines *lines, const struct line *line,
                         struct failure *why)
{
    return fail_at(why, STATUS_SYNTAX, lines->name, line->number,
                   "The line is longer than %d bytes", LINE_LONGEST);
}

enum status lines_next(struct lines *lines, struct line *line, struct failure *why)
{
    enum status status = lines_begin(lines, line, why);
    bool is_long = status == STATUS_OK && (line->is_cut || line->length > LINE_LONGEST);
    return is_long ? lines_refuse(lines, line, why) : status;
}

enum status lines_reject(const struct lines *lines, const struct line *line, enum status status,
                         const char *what, struct failure *why)
{
    char shown[TEXT_QUOTE_SIZE];
    if (lines->source && source_is_found(lines->source) && path_is_link(lines->name))
        return fail_at(why, status, lines->name, line->number, "%s", what);
    return fail_at(why, status, lines->name, line->number, "%s: %s", what,
                   text_quote(shown, line->text, line->length));
}

void lines_rewind(struct lines *lines)
{
    lines->begin = lines->end = 0;
    lines->at_end = lines->in_line = false;
    lines->number = 0;
}

const char *lines_name(const struct lines *lines)
{
    return lines->name;
}

void lines_close(struct lines *lines)
{
    if (!lines)
        return;
    source_close(lines->source);
    free(lines->buffer);
    free(lines);
}
