/* SPDX-License-Identifier: MIT */
/* Rows are taken back from the one that was known last. A heap has those that belong further in
 * front; once the next row was known before the last place in the heap, so were all that are
 * left, and the row of that place follows them. So rows come out in descending order, and are
 * put on a second stack, from which they come ascending. A stack a number: numbers of one
 * column are near each other. */
#include "report/lives/late_rows.h"

#include "base/memory.h"
#include "io/number_stack.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct row_stack {
    struct number_stack *columns[LATE_ROW_MAX];
};

struct late_rows {
    struct spool_place place;
    bool has_place;
    size_t width;
    struct row_stack known;   /* as added */
    struct row_stack ordered; /* the first place is on top */
    uint64_t *heap;           /* of rows, the last place at its top */
    size_t count;
    size_t capacity; /* numbers */
};

static enum status open_stack(const struct late_rows *rows, struct row_stack *stack,
                              struct failure *why)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < rows->width && status == STATUS_OK; i++)
        status =
            number_stack_open(&stack->columns[i], rows->has_place ? &rows->place : NULL, why);
    return status;
}

static void close_stack(struct row_stack *stack)
{
    for (size_t i = 0; i < LATE_ROW_MAX; i++)
        number_stack_close(stack->columns[i]);
    memset(stack, 0, sizeof *stack);
}

enum status late_rows_open(struct late_rows **out, size_t width,
                           const struct spool_place *place, struct failure *why)
{
    struct late_rows *rows = calloc(1, sizeof *rows);
    if (!rows)
        return fail_memory(why);
    rows->width = width;
    rows->has_place = place != NULL;
    if (place)
        rows->place = *place;
    enum status status = open_stack(rows, &rows->known, why);
    if (status == STATUS_OK)
        *out = rows;
    else
        late_rows_close(rows);
    return status;
}

static enum status push_row(const struct late_rows *rows, struct row_stack *stack,
                            const uint64_t *row, struct failure *why)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < rows->width && status == STATUS_OK; i++)
        status = number_stack_push(stack->columns[i], row[i], why);
    return status;
}

enum status late_rows_add(struct late_rows *rows, const uint64_t *row, struct failure *why)
{
    return push_row(rows, &rows->known, row, why);
}

/* Takes the row off the stack that was pushed last; STATUS_END: there is none. */
static enum status pop_row(const struct late_rows *rows, struct row_stack *stack, uint64_t *row,
                           struct failure *why)
{
    enum status status = STATUS_OK;
    if (number_stack_count(stack->columns[0]) == 0)
        return STATUS_END;
    for (size_t i = 0; i < rows->width && status == STATUS_OK; i++) {
        row[i] = number_stack_top(stack->columns[i]);
        status = number_stack_pop(stack->columns[i], why);
    }
    return status;
}

static bool is_behind(const uint64_t *row, const uint64_t *other)
{
    if (row[LATE_PLACE] != other[LATE_PLACE])
        return row[LATE_PLACE] > other[LATE_PLACE];
    return row[LATE_ORDER] > other[LATE_ORDER];
}

static uint64_t *row_at(const struct late_rows *rows, size_t index)
{
    return rows->heap + index * rows->width;
}

static void copy_row(const struct late_rows *rows, uint64_t *to, const uint64_t *from)
{
    memmove(to, from, rows->width * sizeof *to);
}

static enum status heap_add_row(struct late_rows *rows, const uint64_t *row,
                                struct failure *why)
{
    uint64_t *heap =
        array_grow(rows->heap, &rows->capacity, (rows->count + 1) * rows->width, sizeof *heap);
    if (!heap)
        return fail_memory(why);
    rows->heap = heap;
    size_t at = rows->count++;
    for (; at > 0 && is_behind(row, row_at(rows, (at - 1) / 2)); at = (at - 1) / 2)
        copy_row(rows, row_at(rows, at), row_at(rows, (at - 1) / 2));
    copy_row(rows, row_at(rows, at), row);
    return STATUS_OK;
}

/* Takes the top off the heap, which is not empty. */
static void heap_take_row(struct late_rows *rows, uint64_t *row)
{
    copy_row(rows, row, row_at(rows, 0));
    const uint64_t *last = row_at(rows, --rows->count);
    size_t at = 0;
    for (size_t child = 1; child < rows->count; child = 2 * at + 1) {
        if (child + 1 < rows->count && is_behind(row_at(rows, child + 1), row_at(rows, child)))
            child++;
        if (!is_behind(row_at(rows, child), last))
            break;
        copy_row(rows, row_at(rows, at), row_at(rows, child));
        at = child;
    }
    copy_row(rows, row_at(rows, at), last);
}

/* Puts the rows that belong behind `known` on the second stack. */
static enum status order_behind(struct late_rows *rows, uint64_t known, struct failure *why)
{
    uint64_t row[LATE_ROW_MAX];
    enum status status = STATUS_OK;
    while (rows->count > 0 && row_at(rows, 0)[LATE_PLACE] > known && status == STATUS_OK) {
        heap_take_row(rows, row);
        status = push_row(rows, &rows->ordered, row, why);
    }
    return status;
}

static enum status order_rest(struct late_rows *rows, struct failure *why)
{
    uint64_t row[LATE_ROW_MAX];
    enum status status = STATUS_OK;
    while (rows->count > 0 && status == STATUS_OK) {
        heap_take_row(rows, row);
        status = push_row(rows, &rows->ordered, row, why);
    }
    return status;
}

enum status late_rows_finish(struct late_rows *rows, struct failure *why)
{
    uint64_t row[LATE_ROW_MAX];
    enum status status = open_stack(rows, &rows->ordered, why);
    while (status == STATUS_OK) {
        status = pop_row(rows, &rows->known, row, why);
        if (status == STATUS_OK)
            status = order_behind(rows, row[LATE_KNOWN], why);
        if (status == STATUS_OK)
            status = heap_add_row(rows, row, why);
    }
    if (status == STATUS_END)
        status = order_rest(rows, why);
    close_stack(&rows->known);
    free(rows->heap);
    rows->heap = NULL;
    return status;
}

enum status late_rows_next(struct late_rows *rows, uint64_t *row, struct failure *why)
{
    return pop_row(rows, &rows->ordered, row, why);
}

void late_rows_close(struct late_rows *rows)
{
    if (!rows)
        return;
    close_stack(&rows->known);
    close_stack(&rows->ordered);
    free(rows->heap);
    free(rows);
}
