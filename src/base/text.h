/* SPDX-License-Identifier: MIT */
/* Text from outside - inputs, names, file names, options - made fit to be shown: what a
 * terminal would take for a command, or a reader could not distinguish, is escaped. */
#ifndef ETMERLIN_BASE_TEXT_H
#define ETMERLIN_BASE_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Room that text_quote needs: 60 input bytes at four bytes each, quotes, "..."
 * and the terminator. */
enum { TEXT_QUOTE_SIZE = 60 * 4 + 2 + 3 + 1 };

/* Writes the `length` bytes at `text` to `out` (TEXT_QUOTE_SIZE bytes) between
 * double quotes, terminated: all, or the first 60 and three dots; a byte
 * that is not printable ASCII, a quote or a backslash as \xHH, \t, \r, \n, \" or \\.
 * Returns `out`. */
const char *text_quote(char *out, const char *text, size_t length);

/* How many of the `length` bytes (1 or more) at `text` are a character to be shown as it is; 0:
 * the first byte is to be escaped. It is if it does not begin a character of UTF-8 (RFC 3629),
 * or begins a control: U+0000 to U+001F, U+007F to U+009F, the separators of lines U+2028 and
 * U+2029, or one that turns the direction of text, U+202A to U+202E and U+2066 to U+2069. */
size_t text_shown_length(const char *text, size_t length);

/* Room for an escaped byte. */
enum { TEXT_ESCAPE_SIZE = 4 };

/* Writes `byte` to `out` as \t, \r, \n or \xHH, without a terminator; returns the length. */
size_t text_escape(char *out, unsigned char byte);

/* Writes `text` to `stream`, with what is not to be shown escaped. */
void text_print(FILE *stream, const char *text);

/* The length of the line at `text` without its LF, CRLF or last CR; `length` counts them. */
size_t text_line_length(const char *text, size_t length);

#endif
