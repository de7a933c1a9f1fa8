/* SPDX-License-Identifier: MIT */
/* Of ascending numbers, a binary search looks at twenty of a million, most of which are not in
 * the processor's caches. The index divides the range of the numbers into equal parts, one for
 * every eight numbers, and records where each part begins: what is left to search is a few
 * adjacent numbers.
 *
 * Of numbers nearly all of which are small, one of 2^32-1 or more is in the map; its item in
 * the array is 2^32-1, which no smaller number has. */
#include "base/packed.h"

#include "base/memory.h"

#include <stdlib.h>

#define LOW_BITS UINT64_C(0xffffffff)

enum { NUMBERS_A_PART = 8 };

/* Records that the high half is `high` from the next number on. */
static enum status add_step(struct ascending *numbers, uint64_t high, struct failure *why)
{
    if (!ARRAY_RESERVE(numbers->steps, numbers->step_capacity, numbers->step_count + 1))
        return fail_memory(why);
    numbers->steps[numbers->step_count++] = (struct ascending_step){numbers->count, high};
    return STATUS_OK;
}

enum status ascending_add(struct ascending *numbers, uint64_t number, struct failure *why)
{
    uint64_t high = number & ~LOW_BITS;
    uint64_t before =
        numbers->step_count == 0 ? 0 : numbers->steps[numbers->step_count - 1].high;
    TRY(high == before ? STATUS_OK : add_step(numbers, high, why));
    if (!ARRAY_RESERVE(numbers->lows, numbers->capacity, numbers->count + 1))
        return fail_memory(why);
    numbers->lows[numbers->count++] = (uint32_t)(number & LOW_BITS);
    return STATUS_OK;
}

uint64_t ascending_high(const struct ascending *numbers, size_t item)
{
    size_t low = 0,
           high = numbers->step_count; /* steps below `low` begin at `item` or before it */
    BISECT(low, high, at, numbers->steps[at].begin <= item);
    return low == 0 ? 0 : numbers->steps[low - 1].high;
}

void ascending_free(struct ascending *numbers)
{
    free(numbers->lows);
    free(numbers->steps);
    *numbers = (struct ascending){.count = 0};
}

enum status ascending_index_make(struct ascending_index *index, const struct ascending *numbers,
                                 struct failure *why)
{
    uint64_t last = ascending_last(numbers), parts = numbers->count / NUMBERS_A_PART + 1;
    unsigned shift = 0;
    while (last >> shift > parts)
        shift++;
    size_t count = (size_t)(last >> shift) + 2, next = 0;
    size_t *starts = array_new(count, sizeof *starts);
    if (!starts)
        return fail_memory(why);
    for (size_t item = 0; item < numbers->count; item++)
        for (size_t part = (size_t)(ascending_at(numbers, item) >> shift); next <= part; next++)
            starts[next] = item;
    while (next < count)
        starts[next++] = numbers->count;
    *index = (struct ascending_index){starts, count, shift};
    return STATUS_OK;
}

size_t ascending_below(const struct ascending *numbers, const struct ascending_index *index,
                       uint64_t number)
{
    uint64_t part = number >> index->shift;
    if (part >= index->count - 1)
        return numbers->count;
    size_t low = index->starts[part], high = index->starts[part + 1];
    BISECT(low, high, at, ascending_at(numbers, at) < number);
    return low;
}

void ascending_index_free(struct ascending_index *index)
{
    free(index->starts);
    *index = (struct ascending_index){.count = 0};
}

enum status narrow_add(struct narrow *numbers, uint64_t number, struct failure *why)
{
    if (!ARRAY_RESERVE(numbers->items, numbers->capacity, numbers->count + 1))
        return fail_memory(why);
    numbers->items[numbers->count] = number < NARROW_WIDE ? (uint32_t)number : NARROW_WIDE;
    if (number >= NARROW_WIDE) {
        uint64_t *wide = map_insert(&numbers->wide, numbers->count);
        if (!wide)
            return fail_memory(why);
        *wide = number;
    }
    numbers->count++;
    return STATUS_OK;
}

void narrow_free(struct narrow *numbers)
{
    free(numbers->items);
    map_free(&numbers->wide);
    *numbers = (struct narrow){.items = NULL};
}
