/* SPDX-License-Identifier: MIT */
/* Arrays: growable ones with checked arithmetic, and a search in sorted ones. Also how memory
 * is kept and returned. */
#ifndef ETMERLIN_BASE_MEMORY_H
#define ETMERLIN_BASE_MEMORY_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Begins the definition of a function that only loads data into the processor's cache. gcc
 * considers such a function to have no effect, and removes calls of it that it has not inlined
 * by the time it finds out. */
#define PREFETCHING static inline __attribute__((always_inline))

/* Called by array_grow when there is not enough room. */
void *array_enlarge(void *items, size_t *capacity, size_t needed, size_t item_size) MUST_CHECK;

/* Makes room for at least `needed` items of `item_size` bytes in the array `items` (NULL: none
 * yet), which has room for *capacity. The room doubles, so that appending takes linear time.
 * Returns the array, which may have moved, and sets *capacity; or returns NULL when there is no
 * memory or the size does not fit size_t, and changes neither. The caller owns the array
 * (free). */
static inline void *MUST_CHECK array_grow(void *items, size_t *capacity, size_t needed,
                                          size_t item_size)
{
    if (items && needed <= *capacity)
        return items;
    return array_enlarge(items, capacity, needed, item_size);
}

/* As array_enlarge, but the room grows by a quarter: for an array whose memory matters more
 * than the time to copy it. `needed` must be more than it has room for. */
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

/* Called by ARRAY_LENGTHEN when there are too few items. `array` points to the pointer to the
 * items. */
bool array_lengthen(void *array, size_t *count, size_t *capacity, size_t needed,
                    size_t item_size) MUST_CHECK;

/* Makes the array `items` of `count` items one of at least `needed`: those that it did not have
 * are zero. `items`, `count` and `capacity`, which is 0 as long as there is no array, are
 * evaluated several times. False: array_grow would return NULL, and nothing has changed. */
#define ARRAY_LENGTHEN(items, count, capacity, needed)                                         \
    ((needed) <= (count) ||                                                                    \
     array_lengthen(&(items), &(count), &(capacity), needed, sizeof *(items)))

/* A zeroed array of `count` items; NULL: as for array_grow. An array of 0 items may not be
 * read. The caller owns it (free). */
void *array_new(size_t count, size_t item_size) MUST_CHECK;

/* An uninitialized array of `count` items, in large pages where that is possible: for an array
 * that is used all over, in no order, so that the processor finds its pages sooner. NULL: as
 * for array_grow. The caller owns it (free). */
void *array_of_pages(size_t count, size_t item_size) MUST_CHECK;

/* Returns freed memory to the system, which the C library would keep. */
void memory_trim(void);

/* From now on each large array has pages of its own, which go back to the system as soon as the
 * array is freed. After the first such free, the C library would otherwise keep the memory of
 * arrays of that size or smaller, and so that of several where only one is needed at a time. */
void memory_separate_arrays(void);

/* The bytes of memory that are the process's own, whether it has touched them or not; 0: the
 * system does not report them. Allocates no memory. */
uint64_t memory_in_use(void);

/* Binary search in sorted items: a macro, so that the items can be anything that has a
 * position, and the comparison is inlined.
 *
 * Sets `low` to the first position from `low` to below `high` at which `is_before`, an
 * expression of the position `at`, is false, or to `high` if there is none. `high` is changed,
 * too. Where `is_before` is true at a position, it must be true at all positions before it. */
#define BISECT(low, high, at, is_before)                                                       \
    do {                                                                                       \
        while ((low) < (high)) {                                                               \
            __typeof__(low) at = (low) + ((high) - (low)) / 2;                                 \
            if (is_before)                                                                     \
                (low) = at + 1;                                                                \
            else                                                                               \
                (high) = at;                                                                   \
        }                                                                                      \
    } while (0)

#endif
