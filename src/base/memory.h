/* SPDX-License-Identifier: MIT */
/* Growable arrays with checked arithmetic. */
#ifndef ETMERLIN_BASE_MEMORY_H
#define ETMERLIN_BASE_MEMORY_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Begins the definition of a function that does nothing but load into the processor's cache:
 * gcc takes that for no effect, and drops calls that it has not inlined before it finds out. */
#define PREFETCHING static inline __attribute__((always_inline))

/* Called by array_grow when there is not enough room. */
void *array_enlarge(void *items, size_t *capacity, size_t needed, size_t item_size) MUST_CHECK;

/* Makes room for at least `needed` items of `item_size` bytes in the array
 * `items` (NULL: none yet) that has room for *capacity. Grows by doubling, so
 * that appending is linear. Returns the array, which may have moved, and sets
 * *capacity; or returns NULL when there is no memory or the size does not fit
 * size_t, leaving both as they were. The caller owns the array (free). */
static inline void *MUST_CHECK array_grow(void *items, size_t *capacity, size_t needed,
                                          size_t item_size)
{
    if (items && needed <= *capacity)
        return items;
    return array_enlarge(items, capacity, needed, item_size);
}

/* As array_enlarge, but grows by a quarter: for an array whose room counts more than the time
 * to copy it. `needed` must be more than it has room for. */
void *array_enlarge_slowly(void *items, size_t *capacity, size_t needed,
                           size_t item_size) MUST_CHECK;

/* Called by ARRAY_RESERVE when there is not enough room. `array` points to the pointer to the
 * items. */
bool array_extend(void *array, size_t *capacity, size_t needed, size_t item_size,
                  bool is_slow) MUST_CHECK;

/* Makes room for `needed` items with array_grow, and sets the pointer `items` to the array.
 * `items` and `capacity` are evaluated several times. False: array_grow would return NULL, and
 * nothing has changed. */
#define ARRAY_RESERVE(items, capacity, needed)                                                 \
    (((items) && (needed) <= (capacity)) ||                                                    \
     array_extend(&(items), &(capacity), needed, sizeof *(items), false))

/* As ARRAY_RESERVE, but the array grows by a quarter (array_enlarge_slowly). */
#define ARRAY_RESERVE_SLOWLY(items, capacity, needed)                                          \
    (((items) && (needed) <= (capacity)) ||                                                    \
     array_extend(&(items), &(capacity), needed, sizeof *(items), true))

/* A zeroed array of `count` items; NULL as above. A count of 0 gives an array
 * that may not be read. The caller owns it (free). */
void *array_new(size_t count, size_t item_size) MUST_CHECK;

/* An array of `count` items that are not set, for one that is used from end to end at once, in
 * no order: in large pages where that is possible, so that the processor finds them sooner.
 * NULL as above. The caller owns it (free). */
void *array_of_pages(size_t count, size_t item_size) MUST_CHECK;

/* Returns freed memory to the system, which the C library would keep. */
void memory_trim(void);

/* From now on each large array has pages of its own, which go back to the system as soon as it
 * is freed. The C library would keep them once one has been freed, for arrays as large or
 * smaller, and so keep the room of several where never more than one is needed. */
void memory_separate_arrays(void);

/* The bytes of memory that are the process's own, touched or not; 0: the system does not say.
 * Needs no memory. */
uint64_t memory_in_use(void);

#endif
