/* SPDX-License-Identifier: MIT */
/* An array of 64-bit numbers nearly all of which are small, such as types and sizes, in half
 * the room: 32 bits each, and a map for those that need more. */
#ifndef ETMERLIN_BASE_NARROW_H
#define ETMERLIN_BASE_NARROW_H

#include "base/map.h"

#include <stddef.h>

/* The item of a number that is in the map. */
#define NARROW_WIDE UINT32_MAX

/* Zero-initialize it; narrow_free ends it. Its members are public so that readers are inlined.
 */
struct narrow {
    uint32_t *items;
    size_t count;
    size_t capacity;
    struct map wide; /* item -> number */
};

/* Appends a number. */
enum status narrow_add(struct narrow *numbers, uint64_t number, struct failure *why) MUST_CHECK;

/* Item number `item`, from 0. */
static inline uint64_t narrow_at(const struct narrow *numbers, size_t item)
{
    uint32_t number = numbers->items[item];
    return number == NARROW_WIDE ? *map_find(&numbers->wide, item) : number;
}

void narrow_free(struct narrow *numbers);

#endif
