/* SPDX-License-Identifier: MIT */
/* A heap of rows of numbers, from which the first in their order is taken. */
#ifndef ETMERLIN_BASE_ROW_HEAP_H
#define ETMERLIN_BASE_ROW_HEAP_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* Rows of `width` numbers are ordered by the first two. Zero-initialize all but the width;
 * row_heap_free ends it. */
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
