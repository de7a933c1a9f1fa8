/* SPDX-License-Identifier: MIT */
/* A reference that a store ended is written as the steps from the one before, most of which
 * take a byte. References that windows find in place are sorted by container, since they are
 * found as containers die. */
#include "merlin/recorders/references.h"

#include "base/bytes.h"
#include "io/temporary/numbers.h"
#include "io/temporary/row_sort.h"
#include "merlin/apply.h"

#include <stdlib.h>

/* A row of a reference in place: the order of its container together with how it ended, and the
 * other members. */
enum { ROW_WIDTH = 6, END_BITS = 3 };

struct references {
    struct number_list *ended;
    uint64_t count; /* how many there are */
    struct reference last;
    struct number_cursor *cursor; /* NULL: nothing has been read yet */
    uint64_t left_to_read;        /* how many of those that a store ended are left to read */
    struct row_sort *in_place;    /* NULL: objects are nodes */
};

enum status references_open(struct references **out, bool by_id,
                            const struct temporary_folder *temporary, struct failure *why)
{
    struct references *references = calloc(1, sizeof *references);
    if (!references)
        return fail_memory(why);
    enum status status = number_list_open(&references->ended, temporary, why);
    if (status == STATUS_OK && by_id)
        status = row_sort_open(&references->in_place, ROW_WIDTH, 1, temporary, why);
    if (status == STATUS_OK)
        *out = references;
    else
        references_close(references);
    return status;
}

bool references_are_by_id(const struct references *references)
{
    return references->in_place;
}

/* The numbers of a reference that are written as steps. */
enum { STEPS = 5 };

static void list_numbers(struct reference *reference, uint64_t *numbers[STEPS])
{
    numbers[0] = &reference->container;
    numbers[1] = &reference->field;
    numbers[2] = &reference->target;
    numbers[3] = &reference->created;
    numbers[4] = &reference->ended;
}

enum status references_add(struct references *references, const struct reference *reference,
                           struct failure *why)
{
    struct reference next = *reference;
    uint64_t *from[STEPS], *to[STEPS];
    list_numbers(&references->last, from);
    list_numbers(&next, to);
    TRY(number_list_add(references->ended, next.end, why));
    for (size_t i = 0; i < STEPS; i++)
        TRY(number_list_add(references->ended, varint_step(*from[i], *to[i]), why));
    references->last = next;
    references->count++;
    return STATUS_OK;
}

/* What references call `node` until all have been recorded: its id or, with a table, the node
 * itself. */
static uint64_t name_in_references(const struct references *references,
                                   const struct seen_batch *seen, node_t node)
{
    return references->in_place ? objects_id(seen->pass->heap.objects, node) : node;
}

enum status references_see(struct references *references, const struct seen_batch *seen,
                           struct failure *why)
{
    for (size_t i = 0; i < seen->events->count; i++) {
        const struct seen_event *event = &seen->events->items[i];
        if (event->kind != SEEN_REPLACED)
            continue;
        const struct record *record = seen_record(seen, event);
        const struct reference reference = {
            .container = name_in_references(references, seen, event->node),
            .field = record->field,
            .target = name_in_references(references, seen, event->other),
            .created = event->tick,
            .ended = clock_time(&seen->pass->clock, event[-1].tick),
            .end = record->value == 0 ? REFERENCE_CLEARED : REFERENCE_OVERWRITTEN,
        };
        TRY(references_add(references, &reference, why));
    }
    return STATUS_OK;
}

enum status references_leave(struct references *references, uint64_t order,
                             const struct reference *reference, struct failure *why)
{
    const uint64_t row[ROW_WIDTH] = {
        order << END_BITS | reference->end,
        reference->container,
        reference->field,
        reference->target,
        reference->created,
        reference->ended,
    };
    return row_sort_add(references->in_place, row, why);
}

static enum status begin_to_read(struct references *references, struct failure *why)
{
    TRY(number_list_finish(references->ended, why));
    if (references->in_place)
        TRY(row_sort_finish(references->in_place, why));
    references->left_to_read = references->count;
    references->last = (struct reference){.container = 0};
    return number_cursor_open(&references->cursor, references->ended, why);
}

static enum status next_ended(struct references *references, struct reference *reference,
                              struct failure *why)
{
    uint64_t *numbers[STEPS], end = 0;
    list_numbers(&references->last, numbers);
    references->left_to_read--;
    TRY(number_cursor_next(references->cursor, &end, why));
    for (size_t i = 0; i < STEPS; i++) {
        uint64_t step = 0;
        TRY(number_cursor_next(references->cursor, &step, why));
        *numbers[i] = varint_follow(*numbers[i], step);
    }
    *reference = references->last;
    reference->end = (enum reference_end)end;
    return STATUS_OK;
}

static enum status next_in_place(struct references *references, struct reference *reference,
                                 struct failure *why)
{
    uint64_t row[ROW_WIDTH];
    TRY(row_sort_next(references->in_place, row, why));
    *reference = (struct reference){
        .container = row[1],
        .field = row[2],
        .target = row[3],
        .created = row[4],
        .ended = row[5],
        .end = (enum reference_end)(row[0] & ((1 << END_BITS) - 1)),
    };
    return STATUS_OK;
}

enum status references_next(struct references *references, struct reference *reference,
                            struct failure *why)
{
    if (!references->cursor)
        TRY(begin_to_read(references, why));
    if (references->left_to_read > 0)
        return next_ended(references, reference, why);
    return references->in_place ? next_in_place(references, reference, why) : STATUS_END;
}

void references_close(struct references *references)
{
    if (!references)
        return;
    number_cursor_close(references->cursor);
    number_list_close(references->ended);
    row_sort_close(references->in_place);
    free(references);
}
