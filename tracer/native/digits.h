/* SPDX-License-Identifier: MIT */
/* Fields of a line: a space and a decimal number. */
#ifndef ETTRACE_DIGITS_H
#define ETTRACE_DIGITS_H

#include <stdint.h>
#include <string.h>

enum {
    QUADS = 10000,
    SHORT_FIELDS = 1 << 15,
    FIELD_ROOM = 32, /* the longest field, and what is written after it */
};

/* The text of a field, and how long that is. */
struct short_field {
    char text[7];
    uint8_t length;
};

struct digits {
    struct short_field fields[SHORT_FIELDS]; /* the fields of all numbers below SHORT_FIELDS */
    /* Four digits of each number, with leading zeros. */
    char quads[QUADS][4];
};

void digits_fill(struct digits *digits);

/* As digits_put_field, for numbers from QUADS * SHORT_FIELDS on. */
char *digits_put_long(const struct digits *digits, char *at, uint64_t number);

static inline char *digits_put_short(const struct digits *digits, char *at, uint64_t number)
{
    const struct short_field *field = &digits->fields[number];
    memcpy(at, field, sizeof *field);
    return at + field->length;
}

static inline char *digits_put_quad(const struct digits *digits, char *at, uint64_t number)
{
    memcpy(at, digits->quads[number], 4);
    return at + 4;
}

/* Writes a space and the number, without leading zeros, to `at`, which must have room for
 * FIELD_ROOM bytes; returns its end. The bytes after it in this room are undefined. */
static inline char *digits_put_field(const struct digits *digits, char *at, uint64_t number)
{
    if (number < SHORT_FIELDS)
        return digits_put_short(digits, at, number);
    if (number >= (uint64_t)QUADS * SHORT_FIELDS)
        return digits_put_long(digits, at, number);
    at = digits_put_short(digits, at, number / QUADS);
    return digits_put_quad(digits, at, number % QUADS);
}

#endif
