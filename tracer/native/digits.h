/* SPDX-License-Identifier: MIT */
/* Decimal numbers, four digits at a time from a table. */
#ifndef ETTRACE_DIGITS_H
#define ETTRACE_DIGITS_H

#include <stdint.h>
#include <string.h>

enum {
    QUADS = 10000,
    DIGITS_ROOM = 24, /* of the longest number, and of what is written after it */
};

/* The digits of all numbers below QUADS, with leading zeros. */
struct digits {
    char quads[QUADS + 1][4]; /* some are read together with the beginning of the next */
};

void digits_fill(struct digits *digits);

/* Writes a number below QUADS without leading zeros, and four bytes in all; returns its end. */
static inline char *digits_put_short(const struct digits *digits, char *at, uint64_t number)
{
    int zeros = (number < 10) + (number < 100) + (number < 1000);
    memcpy(at, (const char *)digits->quads + number * 4 + zeros, 4);
    return at + 4 - zeros;
}

/* As digits_put, of a number from QUADS on. */
char *digits_put_long(const struct digits *digits, char *at, uint64_t number);

/* Writes the number without leading zeros where there are DIGITS_ROOM bytes; returns its end.
 * What is in the room after it does not count. */
static inline char *digits_put(const struct digits *digits, char *at, uint64_t number)
{
    if (number < QUADS)
        return digits_put_short(digits, at, number);
    if (number >= QUADS * QUADS)
        return digits_put_long(digits, at, number);
    at = digits_put_short(digits, at, number / QUADS);
    memcpy(at, digits->quads[number % QUADS], 4);
    return at + 4;
}

#endif
