/* Growable arrays with checked arithmetic. */
#ifndef ETMERLIN_BASE_MEMORY_H
#define ETMERLIN_BASE_MEMORY_H

#include "base/status.h"

#include <stddef.h>

/* Makes room for at least `needed` items of `item_size` bytes in the array
 * `items` (NULL: none yet) that has room for *capacity. Grows by doubling, so
 * that appending is linear. Returns the array, which may have moved, and sets
 * *capacity; or returns NULL when there is no memory or the size does not fit
 * size_t, leaving both as they were. The caller owns the array (free). */
void *array_grow(void *items, size_t *capacity, size_t needed, size_t item_size) MUST_CHECK;

/* A zeroed array of `count` items; NULL as above. A count of 0 gives an array
 * that may not be read. The caller owns it (free). */
void *array_new(size_t count, size_t item_size) MUST_CHECK;

#endif
