/* SPDX-License-Identifier: MIT */
/* The lines of a file, or of any other stream of bytes. */
#ifndef ETMERLIN_IO_LINES_H
#define ETMERLIN_IO_LINES_H

#include "base/status.h"
#include "io/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No line may be longer: what a reader keeps of its input at a time is bounded. */
enum { LINE_LONGEST = 1024 * 1024 };

struct lines;

struct line {
    const char *text;
    size_t length;   /* without its LF or CRLF */
    uint64_t number; /* from 1 */
    bool has_end;    /* false: the stream ends within this line, or the line is cut */
    bool is_cut;     /* longer than LINE_LONGEST: this is how it begins (lines_begin) */
};

/* Reads what comes next, at most `capacity` bytes, into `bytes`; *got = 0 only at the end. */
typedef enum status (*lines_input)(void *context, void *bytes, size_t capacity, size_t *got,
                                   struct failure *why);

/* Opens the file `path` as `how` says (NULL: all zero), except that no copy of it is made. The
 * caller owns *out (lines_close). */
enum status lines_open(struct lines **out, const char *path, const struct source_options *how,
                       struct failure *why) MUST_CHECK;

/* Whether the lines of a file have come to the end of compressed data that end too early. */
bool lines_are_cut(const struct lines *lines);

/* The lines of what `input` reads with `context`; `name`, for messages, and both of them must
 * outlive *out, which the caller owns (lines_close). */
enum status lines_over(struct lines **out, lines_input input, void *context, const char *name,
                       struct failure *why) MUST_CHECK;

/* Sets *line to the next line, whose text stays until the next call. STATUS_END: there is
 * none. STATUS_SYNTAX: it is longer than LINE_LONGEST, or a file that was opened here begins
 * with a byte order mark. */
enum status lines_next(struct lines *lines, struct line *line, struct failure *why) MUST_CHECK;

/* Sets *line as lines_next does, but takes lines that are longer: such a line has is_cut set,
 * and at least its first LINE_LONGEST bytes. What is not fetched of it with lines_go_on is
 * passed over. */
enum status lines_begin(struct lines *lines, struct line *line, struct failure *why) MUST_CHECK;

/* Sets *line to what follows of a line that was cut, as much as there is room for; is_cut shows
 * whether even more follows. A CR at the end of a part may be left out. */
enum status lines_go_on(struct lines *lines, struct line *line, struct failure *why) MUST_CHECK;

/* Fails as lines_next does: the line is too long. */
enum status lines_refuse(const struct lines *lines, const struct line *line,
                         struct failure *why);

/* Fails with `status`: `what` is wrong with a line. The message quotes it, unless the user has
 * not named the file and it is a link: then the line may be one of any file of the user's. */
enum status lines_reject(const struct lines *lines, const struct line *line, enum status status,
                         const char *what, struct failure *why);

/* Starts again at line 1; the input must be at its start again. */
void lines_rewind(struct lines *lines);

/* The path or name, for messages. */
const char *lines_name(const struct lines *lines);

/* NULL is allowed. */
void lines_close(struct lines *lines);

#endif
