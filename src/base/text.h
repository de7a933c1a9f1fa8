/* SPDX-License-Identifier: MIT */
/* Text from outside (inputs, names, file names, options) made safe to show: what a terminal
 * would take for a command, or a reader could not tell apart, is escaped. */
#ifndef ETMERLIN_BASE_TEXT_H
#define ETMERLIN_BASE_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* The room that text_quote needs: for 60 input bytes of four bytes each, the quotes, "..." and
 * the terminator. */
enum { TEXT_QUOTE_SIZE = 60 * 4 + 2 + 3 + 1 };

/* Writes the `length` bytes at `text` to `out` (TEXT_QUOTE_SIZE bytes), between double quotes
 * and terminated: all of them, or the first 60 and three dots. A byte that is not printable
 * ASCII, a quote or a backslash becomes \xHH, \t, \r, \n, \" or \\. Returns `out`. */
const char *text_quote(char *out, const char *text, size_t length);

/* How many of the `length` bytes (1 or more) at `text` are one character that is to be shown as
 * it is; 0: the first byte is to be escaped. That is so if it does not begin a character of
 * UTF-8 (RFC 3629), or begins a control character: U+0000 to U+001F, U+007F to U+009F, the line
 * separators U+2028 and U+2029, or one that changes the direction of text, U+202A to U+202E and
 * U+2066 to U+2069. */
size_t text_shown_length(const char *text, size_t length);

/* The room that text_escape needs. */
enum { TEXT_ESCAPE_SIZE = 4 };

/* Writes `byte` to `out` as \t, \r, \n or \xHH, without a terminator; returns the length. */
size_t text_escape(char *out, unsigned char byte);

/* Writes `text` to `stream`, and escapes what is not to be shown (text_shown_length). */
void text_print(FILE *stream, const char *text);

/* Where the end of `text` begins that fits `room` bytes (4 or more) after three dots, at the
 * first byte of a character of UTF-8; 0: the whole text fits without them. */
size_t text_end(const char *text, size_t room);

/* The length of the line of `length` bytes at `text` without the LF, CRLF or CR at its end. */
size_t text_line_length(const char *text, size_t length);

#endif
