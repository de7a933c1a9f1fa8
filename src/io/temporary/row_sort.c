/* SPDX-License-Identifier: MIT */
/* Rows are sorted in memory, a buffer at a time, and each buffer becomes a run in a file. As
 * soon as a level has a number of runs, they are merged to one of the next level; so few files
 * are open, and a row is written once a level. All that is left is merged as it is read. A
 * buffer is sorted byte by byte, from the lowest on, which keeps the order of equal rows; what
 * is moved are the numbers that it is sorted by, each with the number of its row. */
#include "io/temporary/row_sort.h"

#include "base/bytes.h"
#include "base/memory.h"
#include "io/temporary/numbers.h"

#include <stdlib.h>
#include <string.h>

enum { BUFFER_NUMBERS = 192 * 1024, LEVEL_RUNS = 16, LEVELS = 12, BUCKETS = 256 };

/* A row of the buffer, as it is sorted. */
struct row_key {
    uint64_t number; /* of the row, that it is sorted by at the moment */
    size_t row;
};

/* Sorted rows in a file. */
struct sorted_run {
    struct number_list *numbers;
    uint64_t rows;
};

struct row_sort {
    struct temporary_folder temporary;
    size_t width;
    size_t keys;
    uint64_t *buffer;
    size_t count;          /* rows in the buffer */
    size_t capacity;       /* of it, in numbers */
    struct row_key *order; /* of the buffer, when all rows fit it */
    size_t next;           /* of these */
    struct sorted_run runs[LEVELS][LEVEL_RUNS];
    size_t run_counts[LEVELS];
    struct run_merge *merge; /* of all runs; NULL: there are none */
};

/* A place in a run. */
struct run_cursor {
    struct number_cursor *numbers;
    uint64_t left;                 /* rows */
    uint64_t last[SORTED_ROW_MAX]; /* the latest row */
};

/* Runs that are merged, those of older rows first. A row in the heap has the number of its run
 * after its keys: the heap goes by two numbers. */
struct run_merge {
    size_t width;
    size_t keys;
    size_t count;
    struct run_cursor cursors[LEVELS * LEVEL_RUNS];
    struct row_heap heap;
};

enum status row_sort_open(struct row_sort **out, size_t width, size_t keys,
                          const struct temporary_folder *temporary, struct failure *why)
{
    struct row_sort *sort = calloc(1, sizeof *sort);
    if (!sort)
        return fail_memory(why);
    sort->width = width;
    sort->keys = keys;
    if (temporary)
        sort->temporary = *temporary;
    *out = sort;
    return STATUS_OK;
}

/* Appends a row to a run, as steps from the row before, `last`, which becomes the row. */
static enum status add_to_run(struct sorted_run *run, size_t width, uint64_t *last,
                              const uint64_t *row, struct failure *why)
{
    for (size_t i = 0; i < width; i++) {
        TRY(number_list_add(run->numbers, varint_step(last[i], row[i]), why));
        last[i] = row[i];
    }
    run->rows++;
    return STATUS_OK;
}

static enum status next_of_run(struct run_cursor *cursor, size_t width, struct failure *why)
{
    if (cursor->left == 0)
        return STATUS_END;
    cursor->left--;
    for (size_t i = 0; i < width; i++) {
        uint64_t step = 0;
        TRY(number_cursor_next(cursor->numbers, &step, why));
        cursor->last[i] = varint_follow(cursor->last[i], step);
    }
    return STATUS_OK;
}

/* Puts the next row of run number `run`, if there is one, into the heap. */
static enum status refill(struct run_merge *merge, size_t run, struct failure *why)
{
    uint64_t row[SORTED_ROW_MAX + 1];
    const uint64_t *next = merge->cursors[run].last;
    size_t keys = merge->keys;
    enum status status = next_of_run(&merge->cursors[run], merge->width, why);
    if (status != STATUS_OK)
        return status == STATUS_END ? STATUS_OK : status;
    memcpy(row, next, keys * sizeof *row);
    row[keys] = run;
    memcpy(row + keys + 1, next + keys, (merge->width - keys) * sizeof *row);
    return row_heap_add(&merge->heap, row, why);
}

static void run_merge_close(struct run_merge *merge)
{
    if (!merge)
        return;
    for (size_t i = 0; i < merge->count; i++)
        number_cursor_close(merge->cursors[i].numbers);
    row_heap_free(&merge->heap);
    free(merge);
}

static enum status add_run(struct run_merge *merge, const struct sorted_run *run,
                           struct failure *why)
{
    struct run_cursor *cursor = &merge->cursors[merge->count];
    cursor->left = run->rows;
    TRY(number_cursor_open(&cursor->numbers, run->numbers, why));
    return refill(merge, merge->count++, why);
}

/* Starts to merge the runs of the levels from `first` up to `end`. The caller owns *out, also
 * after a failure (run_merge_close). */
static enum status run_merge_open(struct run_merge **out, const struct row_sort *sort,
                                  size_t first, size_t end, struct failure *why)
{
    struct run_merge *merge = *out = calloc(1, sizeof *merge);
    if (!merge)
        return fail_memory(why);
    merge->width = sort->width;
    merge->keys = sort->keys;
    merge->heap.width = sort->width + 1;
    for (size_t level = end; level-- > first;)
        for (size_t i = 0; i < sort->run_counts[level]; i++)
            TRY(add_run(merge, &sort->runs[level][i], why));
    return STATUS_OK;
}

static enum status run_merge_next(struct run_merge *merge, uint64_t *row, struct failure *why)
{
    uint64_t taken[SORTED_ROW_MAX + 1];
    size_t keys = merge->keys;
    if (merge->heap.count == 0)
        return STATUS_END;
    row_heap_take(&merge->heap, taken);
    memcpy(row, taken, keys * sizeof *row);
    memcpy(row + keys, taken + keys + 1, (merge->width - keys) * sizeof *row);
    return refill(merge, (size_t)taken[keys], why);
}

/* Writes all that is merged to a run. */
static enum status write_merged(struct run_merge *merge, struct sorted_run *run,
                                struct failure *why)
{
    uint64_t row[SORTED_ROW_MAX], last[SORTED_ROW_MAX] = {0};
    enum status status;
    while ((status = run_merge_next(merge, row, why)) == STATUS_OK)
        TRY(add_to_run(run, merge->width, last, row, why));
    return status == STATUS_END ? number_list_finish(run->numbers, why) : status;
}

static void close_level(struct row_sort *sort, size_t level)
{
    for (size_t i = 0; i < sort->run_counts[level]; i++)
        number_list_close(sort->runs[level][i].numbers);
    sort->run_counts[level] = 0;
}

/* Sets *run to a new one of a level, which has room for it. */
static enum status new_run(struct row_sort *sort, size_t level, struct sorted_run **run,
                           struct failure *why)
{
    *run = &sort->runs[level][sort->run_counts[level]];
    (*run)->rows = 0;
    TRY(number_list_open(&(*run)->numbers, &sort->temporary, why));
    sort->run_counts[level]++;
    return STATUS_OK;
}

/* Merges the levels that are full, but for the last one, which never is. */
static enum status merge_levels(struct row_sort *sort, struct failure *why)
{
    enum status status = STATUS_OK;
    for (size_t level = 0; level + 1 < LEVELS && status == STATUS_OK; level++) {
        struct run_merge *merge = NULL;
        struct sorted_run *run;
        if (sort->run_counts[level] < LEVEL_RUNS)
            return STATUS_OK;
        status = new_run(sort, level + 1, &run, why);
        if (status == STATUS_OK)
            status = run_merge_open(&merge, sort, level, level + 1, why);
        if (status == STATUS_OK)
            status = write_merged(merge, run, why);
        run_merge_close(merge);
        close_level(sort, level);
    }
    return status;
}

/* Puts the keys into the order of their byte at `shift`, in `sorted`. */
static void sort_byte(const struct row_key *keys, size_t count, unsigned shift,
                      struct row_key *sorted)
{
    size_t next[BUCKETS] = {0}, begin = 0;
    for (size_t i = 0; i < count; i++)
        next[keys[i].number >> shift & (BUCKETS - 1)]++;
    for (size_t bucket = 0; bucket < BUCKETS; bucket++) {
        size_t has = next[bucket];
        next[bucket] = begin;
        begin += has;
    }
    for (size_t i = 0; i < count; i++)
        sorted[next[keys[i].number >> shift & (BUCKETS - 1)]++] = keys[i];
}

/* Sets what the rows are sorted by to their number `key`; returns the bits in which these
 * differ. */
static uint64_t take_numbers(const struct row_sort *sort, size_t key, struct row_key *keys)
{
    uint64_t differ = 0;
    for (size_t i = 0; i < sort->count; i++) {
        keys[i].number = sort->buffer[keys[i].row * sort->width + key];
        differ |= keys[i].number ^ keys[0].number;
    }
    return differ;
}

static void swap_keys(struct row_key **keys, struct row_key **other)
{
    struct row_key *kept = *keys;
    *keys = *other;
    *other = kept;
}

/* Sets *order to the order of the buffer, which the caller owns (free). */
static enum status sort_buffer(const struct row_sort *sort, struct row_key **order,
                               struct failure *why)
{
    struct row_key *keys = array_new(sort->count, sizeof *keys);
    struct row_key *other = array_new(sort->count, sizeof *other);
    if (!keys || !other) {
        free(keys);
        free(other);
        return fail_memory(why);
    }
    for (size_t i = 0; i < sort->count; i++)
        keys[i].row = i;
    for (size_t key = sort->keys; key-- > 0;) {
        uint64_t differ = take_numbers(sort, key, keys);
        for (unsigned shift = 0; shift < 64; shift += 8) {
            if ((differ >> shift & (BUCKETS - 1)) == 0)
                continue;
            sort_byte(keys, sort->count, shift, other);
            swap_keys(&keys, &other);
        }
    }
    free(other);
    *order = keys;
    return STATUS_OK;
}

static const uint64_t *row_of(const struct row_sort *sort, const struct row_key *key)
{
    return sort->buffer + key->row * sort->width;
}

/* Makes a run of the buffer. */
static enum status flush_buffer(struct row_sort *sort, struct failure *why)
{
    uint64_t last[SORTED_ROW_MAX] = {0};
    struct sorted_run *run;
    struct row_key *order = NULL;
    enum status status = new_run(sort, 0, &run, why);
    if (status == STATUS_OK)
        status = sort_buffer(sort, &order, why);
    for (size_t i = 0; i < sort->count && status == STATUS_OK; i++)
        status = add_to_run(run, sort->width, last, row_of(sort, &order[i]), why);
    free(order);
    if (status == STATUS_OK)
        status = number_list_finish(run->numbers, why);
    sort->count = 0;
    return status == STATUS_OK ? merge_levels(sort, why) : status;
}

enum status row_sort_add(struct row_sort *sort, const uint64_t *row, struct failure *why)
{
    if ((sort->count + 1) * sort->width > BUFFER_NUMBERS)
        TRY(flush_buffer(sort, why));
    uint64_t *buffer = array_grow(sort->buffer, &sort->capacity,
                                  (sort->count + 1) * sort->width, sizeof *buffer);
    if (!buffer)
        return fail_memory(why);
    sort->buffer = buffer;
    memcpy(buffer + sort->count++ * sort->width, row, sort->width * sizeof *row);
    return STATUS_OK;
}

/* Whether a run has been made. */
static bool has_runs(const struct row_sort *sort)
{
    size_t runs = 0;
    for (size_t level = 0; level < LEVELS; level++)
        runs += sort->run_counts[level];
    return runs > 0;
}

enum status row_sort_finish(struct row_sort *sort, struct failure *why)
{
    if (!has_runs(sort))
        return sort_buffer(sort, &sort->order, why);
    enum status status = flush_buffer(sort, why);
    free(sort->buffer);
    sort->buffer = NULL;
    return status == STATUS_OK ? run_merge_open(&sort->merge, sort, 0, LEVELS, why) : status;
}

enum status row_sort_next(struct row_sort *sort, uint64_t *row, struct failure *why)
{
    if (sort->merge)
        return run_merge_next(sort->merge, row, why);
    if (sort->next == sort->count)
        return STATUS_END;
    memcpy(row, row_of(sort, &sort->order[sort->next++]), sort->width * sizeof *row);
    return STATUS_OK;
}

void row_sort_close(struct row_sort *sort)
{
    if (!sort)
        return;
    run_merge_close(sort->merge);
    for (size_t level = 0; level < LEVELS; level++)
        close_level(sort, level);
    free(sort->order);
    free(sort->buffer);
    free(sort);
}

/* A binary heap: row i is above rows 2i + 1 and 2i + 2. Rows are short, so they are moved
 * themselves, not pointers to them. */

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
