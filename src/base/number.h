/* SPDX-License-Identifier: MIT */
/* Decimal numbers, bounded on both sides. */
#ifndef ETMERLIN_BASE_NUMBER_H
#define ETMERLIN_BASE_NUMBER_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* The most digits that a 64-bit number can have. */
enum { NUMBER_DIGITS = 20 };

enum number_result {
    NUMBER_OK,
    NUMBER_NONE,     /* no digits, or something other than digits */
    NUMBER_NEGATIVE, /* a well-formed number with a minus before it */
    NUMBER_TOO_LARGE /* does not fit 64 bits */
};

/* Reads the `length` bytes at `text`, all of them, as an unsigned decimal number into *value,
 * which changes only with NUMBER_OK. Leading zeros are allowed; blanks and signs are not. */
enum number_result number_parse(const char *text, size_t length, uint64_t *value);

/* Reads a number of bytes: digits, and perhaps K, M, G or T after them, which are powers of
 * 1024. STATUS_MEANING: the word is anything else, or the number is 0 or does not fit 64 bits.
 */
enum status parse_size(const char *word, uint64_t *bytes, struct failure *why) MUST_CHECK;

/* Compares two uint64_t, as qsort wants it for ascending order. */
int number_compare(const void *left, const void *right);

/* Writes `value` in decimal to `out`, which has room for NUMBER_DIGITS bytes, without a
 * terminator. Returns the number of digits. */
size_t number_format(char *out, uint64_t value);

#endif
