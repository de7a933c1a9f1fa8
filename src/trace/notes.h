/* Notes: what a user should know about an input that could be read all the same. */
#ifndef ETMERLIN_TRACE_NOTES_H
#define ETMERLIN_TRACE_NOTES_H

#include "base/status.h"

#include <stddef.h>

/* Zero-initialize it; notes_free ends it. */
struct notes {
    char **texts; /* "FILE: Sentence." */
    size_t count;
    size_t capacity;
};

/* Adds a note about `file`; the text is formatted as by printf, a sentence without its full
 * stop. */
enum status notes_add(struct notes *notes, struct failure *why, const char *file,
                      const char *format, ...) PRINTF_LIKE(4, 5);

/* Releases all notes; there are none then. */
void notes_free(struct notes *notes);

#endif
