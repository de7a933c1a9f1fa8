/* SPDX-License-Identifier: MIT */
/* Arrays of 64-bit numbers in about half the room, of numbers that ascend and of numbers nearly
 * all of which are small. */
#ifndef ETMERLIN_BASE_PACKED_H
#define ETMERLIN_BASE_PACKED_H

#include "base/map.h"
#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* From item `begin` on, up to the next step, the high half of the numbers is `high`. */
struct ascending_step {
    size_t begin;
    uint64_t high; /* its low half is 0 */
};

/* Ascending numbers, such as ticks: the low half of each, and the few places at which the high
 * half changes. Zero-initialize it; ascending_free ends it. Its members are public so that
 * readers are inlined. */
struct ascending {
    uint32_t *lows;
    size_t count;
    size_t capacity;
    struct ascending_step *steps; /* none up to the first number of 2^32 or more */
    size_t step_count;
    size_t step_capacity;
};

/* Where equal parts of the range of such numbers begin in the array: a byte for each number. */
struct ascending_index {
    size_t *starts; /* starts[i]: how many numbers are below i << shift */
    size_t count;
    unsigned shift;
};

/* Appends a number, which is not below the one before. */
enum status ascending_add(struct ascending *numbers, uint64_t number,
                          struct failure *why) MUST_CHECK;

/* The high half of item `item`; there is at least one step. */
uint64_t ascending_high(const struct ascending *numbers, size_t item);

/* Item number `item`, from 0. */
static inline uint64_t ascending_at(const struct ascending *numbers, size_t item)
{
    uint64_t low = numbers->lows[item];
    return numbers->step_count == 0 ? low : ascending_high(numbers, item) | low;
}

/* The number that was added last; 0: there is none. */
static inline uint64_t ascending_last(const struct ascending *numbers)
{
    return numbers->count == 0 ? 0 : ascending_at(numbers, numbers->count - 1);
}

void ascending_free(struct ascending *numbers);

/* Makes an index of `numbers`, to which no more may be added. The caller releases it
 * (ascending_index_free). */
enum status ascending_index_make(struct ascending_index *index, const struct ascending *numbers,
                                 struct failure *why) MUST_CHECK;

/* How many of `numbers`, whose index is `index`, are below `number`. Takes a few steps where
 * the numbers are spread evenly, and at most a number of steps that is logarithmic in their
 * count. */
size_t ascending_below(const struct ascending *numbers, const struct ascending_index *index,
                       uint64_t number);

void ascending_index_free(struct ascending_index *index);

/* The item of a number that is in the map. */
#define NARROW_WIDE UINT32_MAX

/* Numbers nearly all of which are small, such as types and sizes: 32 bits each, and a map for
 * those that need more. Zero-initialize it; narrow_free ends it. Its members are public so that
 * readers are inlined.
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
