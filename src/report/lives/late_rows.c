/* SPDX-License-Identifier: MIT */
/* Rows are taken back from the one that was known last. A heap has those that belong further in
 * front; once the next row was known before the last place in the heap, so were all that are
 * left, and the row of that place follows them. So rows come out in descending order, and are
 * put on a second stack, from which they come ascending. A stack a number: numbers of one
 * column are near each other. */
#include "report/lives/late_rows.h"

#include "base/row_heap.h"
#include "io/number_stack.h"

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
    struct row_heap heap;     /* the last place is on top */
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
    rows->width = rows->heap.width = width;
    rows->heap.gives_last = true;
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

/* Puts the rows that belong behind `known` on the second stack. */
static enum status order_behind(struct late_rows *rows, uint64_t known, struct failure *why)
{
    uint64_t row[LATE_ROW_MAX];
    enum status status = STATUS_OK;
    while (rows->heap.count > 0 && row_heap_top(&rows->heap)[LATE_PLACE] > known &&
           status == STATUS_OK) {
        row_heap_take(&rows->heap, row);
        status = push_row(rows, &rows->ordered, row, why);
    }
    return status;
}

static enum status order_rest(struct late_rows *rows, struct failure *why)
{
    uint64_t row[LATE_ROW_MAX];
    enum status status = STATUS_OK;
    while (rows->heap.count > 0 && status == STATUS_OK) {
        row_heap_take(&rows->heap, row);
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
            status = row_heap_add(&rows->heap, row, why);
    }
    if (status == STATUS_END)
        status = order_rest(rows, why);
    close_stack(&rows->known);
    row_heap_free(&rows->heap);
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
    row_heap_free(&rows->heap);
    free(rows);
}
