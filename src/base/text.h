/* Bytes of the input, made fit to be shown in a message. */
#ifndef ETMERLIN_BASE_TEXT_H
#define ETMERLIN_BASE_TEXT_H

#include <stddef.h>

/* Room that text_quote needs: 60 input bytes at four bytes each, quotes, "..."
 * and the terminator. */
enum { TEXT_QUOTE_SIZE = 60 * 4 + 2 + 3 + 1 };

/* Writes the `length` bytes at `text` to `out` (TEXT_QUOTE_SIZE bytes) between
 * double quotes, terminated: all, or the first 60 and three dots; a byte
 * that is not printable ASCII, a quote or a backslash as \xHH, \t, \r, \n, \" or \\.
 * Returns `out`. */
const char *text_quote(char *out, const char *text, size_t length);

/* The length of the line at `text` without its LF, CRLF or last CR; `length` counts them. */
size_t text_line_length(const char *text, size_t length);

#endif
