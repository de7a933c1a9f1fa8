/* SPDX-License-Identifier: MIT */
/* An id that is not in the map begins a node, and leaves the map after the last record that
 * names that node. So it does not matter whether an allocation is of a node that has been named
 * already: an earlier node of the id has left the map, unless it is the one that is allocated.
 */
#include "merlin/windows/window_numbering.h"

#include "base/id_map.h"
#include "base/memory.h"
#include "trace/record.h"

#include <stdlib.h>

/* What an id means at the moment. */
struct numbered_id {
    uint64_t number;
    uint64_t last; /* record that names it; of a free item the next one, 0: none */
};

struct window_numbering {
    struct numbering base;
    struct number_stack *lasts;
    struct number_stack *numbers;
    uint8_t names[RECORD_KINDS]; /* what each kind of record names */
    uint64_t record;             /* the number of the present record */
    struct id_map by_id;         /* id -> index in items */
    struct numbered_id *items;   /* from 1 on */
    size_t count;
    size_t capacity;
    uint64_t free; /* the first free item; 0: none */
};

/* Sets *index to the index of an unused item. */
static enum status take_item(struct window_numbering *numbering, uint64_t *index,
                             struct failure *why)
{
    *index = numbering->free;
    if (*index != 0) {
        numbering->free = numbering->items[*index].last;
        return STATUS_OK;
    }
    *index = numbering->count + 1;
    if (!ARRAY_RESERVE(numbering->items, numbering->capacity, *index + 1))
        return fail_memory(why);
    numbering->count++;
    return STATUS_OK;
}

/* Begins a node in item `index`. There are as many nodes as in the readings before, unless the
 * trace has been changed since. Then the numbers mean nothing, and the reader of the trace
 * finds that out at the end. */
static enum status begin_node(struct window_numbering *numbering, uint64_t index,
                              struct failure *why)
{
    struct numbered_id *item = &numbering->items[index];
    *item = (struct numbered_id){.last = numbering->record};
    if (number_stack_count(numbering->numbers) == 0)
        return STATUS_OK;
    *item = (struct numbered_id){number_stack_top(numbering->numbers),
                                 number_stack_top(numbering->lasts)};
    enum status status = number_stack_pop(numbering->numbers, why);
    return status == STATUS_OK ? number_stack_pop(numbering->lasts, why) : status;
}

/* Replaces the id with the number of its object. Sets *index to its item; 0: it is the null id,
 * which stays. */
static enum status number_id(struct window_numbering *numbering, uint64_t *id, uint64_t *index,
                             struct failure *why)
{
    *index = 0;
    if (*id == 0)
        return STATUS_OK;
    uint64_t *found = id_map_insert(&numbering->by_id, *id);
    if (!found)
        return fail_memory(why);
    if (*found == 0) {
        enum status status = take_item(numbering, found, why);
        if (status == STATUS_OK)
            status = begin_node(numbering, *found, why);
        if (status != STATUS_OK)
            return status;
    }
    *index = *found;
    *id = numbering->items[*index].number;
    return STATUS_OK;
}

/* Forgets `id`, whose item is at `index`, if no later record names it. */
static void forget_id(struct window_numbering *numbering, uint64_t id, uint64_t index)
{
    if (index == 0 || numbering->items[index].last != numbering->record)
        return;
    id_map_take(&numbering->by_id, id);
    numbering->items[index].last = numbering->free;
    numbering->free = index;
}

static enum status window_numbering_apply(struct numbering *base, struct record *record,
                                          struct failure *why)
{
    struct window_numbering *numbering = (struct window_numbering *)base;
    unsigned names = numbering->names[record->kind];
    uint64_t first = record->object, second = record->value, indexes[2] = {0, 0};
    enum status status = STATUS_OK;
    numbering->record++;
    if (names & RECORD_NAMES_FIRST)
        status = number_id(numbering, &record->object, &indexes[0], why);
    if (status == STATUS_OK && names & RECORD_NAMES_SECOND)
        status = number_id(numbering, &record->value, &indexes[1], why);
    if (status != STATUS_OK)
        return status;
    forget_id(numbering, first, indexes[0]);
    if (indexes[1] != indexes[0])
        forget_id(numbering, second, indexes[1]);
    return STATUS_OK;
}

static void window_numbering_free(struct numbering *base)
{
    struct window_numbering *numbering = (struct window_numbering *)base;
    number_stack_close(numbering->lasts);
    number_stack_close(numbering->numbers);
    id_map_free(&numbering->by_id);
    free(numbering->items);
    free(numbering);
}

static const struct numbering_class window_numbering_class = {
    .apply = window_numbering_apply,
    .free = window_numbering_free,
};

enum status window_numbering_new(struct numbering **out, struct number_stack *lasts,
                                 struct number_stack *numbers, struct failure *why)
{
    struct window_numbering *numbering = calloc(1, sizeof *numbering);
    if (!numbering) {
        number_stack_close(lasts);
        number_stack_close(numbers);
        return fail_memory(why);
    }
    numbering->base.methods = &window_numbering_class;
    numbering->lasts = lasts;
    numbering->numbers = numbers;
    record_names_by_kind(numbering->names);
    *out = &numbering->base;
    return STATUS_OK;
}
