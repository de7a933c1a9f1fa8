/* SPDX-License-Identifier: MIT */
/* A binary heap: row i is above rows 2i + 1 and 2i + 2. Rows are short, so they are moved
 * themselves, not pointers to them. */
#include "base/row_heap.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

int row_compare(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    if (a[0] != b[0])
        return a[0] < b[0] ? -1 : 1;
    return (a[1] > b[1]) - (a[1] < b[1]);
}

static uint64_t *heap_row(const struct row_heap *heap, size_t index)
{
    return heap->numbers + index * heap->width;
}

static void copy_row(const struct row_heap *heap, uint64_t *to, const uint64_t *from)
{
    memmove(to, from, heap->width * sizeof *to);
}

static bool goes_above(const uint64_t *row, const uint64_t *other)
{
    return row_compare(row, other) < 0;
}

enum status row_heap_add(struct row_heap *heap, const uint64_t *row, struct failure *why)
{
    if (!ARRAY_RESERVE(heap->numbers, heap->capacity, (heap->count + 1) * heap->width))
        return fail_memory(why);
    size_t at = heap->count++;
    for (; at > 0 && goes_above(row, heap_row(heap, (at - 1) / 2)); at = (at - 1) / 2)
        copy_row(heap, heap_row(heap, at), heap_row(heap, (at - 1) / 2));
    copy_row(heap, heap_row(heap, at), row);
    return STATUS_OK;
}

void row_heap_take(struct row_heap *heap, uint64_t *row)
{
    copy_row(heap, row, heap_row(heap, 0));
    const uint64_t *last = heap_row(heap, --heap->count);
    size_t at = 0;
    for (size_t child = 1; child < heap->count; child = 2 * at + 1) {
        if (child + 1 < heap->count &&
            goes_above(heap_row(heap, child + 1), heap_row(heap, child)))
            child++;
        if (!goes_above(heap_row(heap, child), last))
            break;
        copy_row(heap, heap_row(heap, at), heap_row(heap, child));
        at = child;
    }
    copy_row(heap, heap_row(heap, at), last);
}

void row_heap_free(struct row_heap *heap)
{
    free(heap->numbers);
    heap->numbers = NULL;
    heap->count = heap->capacity = 0;
}
