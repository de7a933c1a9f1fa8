/* SPDX-License-Identifier: MIT */
/* A number of 2^32-1 or more is in the map; its item in the array is 2^32-1, which no smaller
 * number has. */
#include "base/narrow.h"

#include "base/memory.h"

#include <stdlib.h>

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
