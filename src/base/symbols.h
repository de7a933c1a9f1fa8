/* SPDX-License-Identifier: MIT */
/* Symbols: byte strings numbered from 0 in the order in which they are first met. */
#ifndef ETMERLIN_BASE_SYMBOLS_H
#define ETMERLIN_BASE_SYMBOLS_H

#include "base/map.h"
#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* Zero-initialize it; symbols_free ends it. */
struct symbols {
    struct map numbers; /* hash -> number + 1; the next free hash when two strings share one */
    uint64_t seed;      /* of the hashes */
    size_t *begins;     /* of each string in `text`; the end of the last one after them */
    size_t count;
    size_t begins_capacity;
    char *text;
    size_t text_capacity;
};

/* The number of no string. */
#define NO_SYMBOL UINT32_MAX

/* Sets *number to the number of the `length` bytes at `text`, which may hold NUL bytes.
 * STATUS_LIMIT: there would be 2^32 - 1 of them. */
enum status symbols_add(struct symbols *symbols, const char *text, size_t length,
                        uint32_t *number, struct failure *why) MUST_CHECK;

/* The number of the string if it has one, else NO_SYMBOL. */
uint32_t symbols_find(const struct symbols *symbols, const char *text, size_t length);

/* The string with this number, followed by a NUL; *length (NULL: not wanted) is set to its
 * length. It stays until a string is added. */
const char *symbols_text(const struct symbols *symbols, uint32_t number, size_t *length);

/* Releases what the symbols own; there are none then. */
void symbols_free(struct symbols *symbols);

#endif
