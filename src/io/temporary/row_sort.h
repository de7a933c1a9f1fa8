/* SPDX-License-Identifier: MIT */
/* Rows of numbers in their order: more than memory holds, sorted in temporary files, and a heap
 * of those in memory. */
#ifndef ETMERLIN_IO_TEMPORARY_ROW_SORT_H
#define ETMERLIN_IO_TEMPORARY_ROW_SORT_H

#include "base/status.h"
#include "io/temporary/spool.h"

#include <stddef.h>
#include <stdint.h>

/* Most numbers of a row. */
enum { SORTED_ROW_MAX = 7 };

struct row_sort;

/* Without rows yet; each has `width` numbers, 1 to SORTED_ROW_MAX. Rows are sorted by the first
 * number and, if `keys` is 2, then by the second. What does not fit the few MiB that it takes
 * of memory goes to temporary files in `temporary` (NULL: see spool_open). The caller owns *out
 * (row_sort_close). */
enum status row_sort_open(struct row_sort **out, size_t width, size_t keys,
                          const struct temporary_folder *temporary,
                          struct failure *why) MUST_CHECK;

enum status row_sort_add(struct row_sort *sort, const uint64_t *row,
                         struct failure *why) MUST_CHECK;

/* Call it when all rows have been added, before row_sort_next. */
enum status row_sort_finish(struct row_sort *sort, struct failure *why) MUST_CHECK;

/* Sets `row` to the next one: ascending by its keys. Of rows with the same keys, those that
 * were added first come first if there is one key; if there are two, they come in any order.
 * STATUS_END: there is none. */
enum status row_sort_next(struct row_sort *sort, uint64_t *row, struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void row_sort_close(struct row_sort *sort);

/* A heap of rows, from which the first in their order is taken. Rows of `width` numbers are
 * ordered by the first two. Zero-initialize all but the width; row_heap_free ends it. */
struct row_heap {
    size_t width;      /* at least 2 */
    size_t count;      /* rows */
    uint64_t *numbers; /* the row on top comes first */
    size_t capacity;
};

/* The order of two rows: less than, equal to or greater than 0. */
int row_compare(const void *left, const void *right);

enum status row_heap_add(struct row_heap *heap, const uint64_t *row,
                         struct failure *why) MUST_CHECK;

/* Removes the row on top, which there must be, and copies it to `row`. */
void row_heap_take(struct row_heap *heap, uint64_t *row);

void row_heap_free(struct row_heap *heap);

#endif
