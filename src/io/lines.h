/* The lines of a file. */
#ifndef ETMERLIN_IO_LINES_H
#define ETMERLIN_IO_LINES_H

#include "base/status.h"
#include "io/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lines;

struct line {
    const char *text;
    size_t length;   /* without its LF or CRLF */
    uint64_t number; /* from 1 */
    bool has_end;    /* false: the file ends within this line */
};

/* Opens the file `path`. The caller owns *out (lines_close). */
enum status lines_open(struct lines **out, const char *path, const struct interrupt *interrupt,
                       struct failure *why) MUST_CHECK;

/* Sets *line to the next line, whose text stays until the next call. STATUS_END: there is
 * none. STATUS_SYNTAX: it is longer than 1 GiB. */
enum status lines_next(struct lines *lines, struct line *line, struct failure *why) MUST_CHECK;

/* The path, for messages. */
const char *lines_name(const struct lines *lines);

/* NULL is allowed. */
void lines_close(struct lines *lines);

#endif
