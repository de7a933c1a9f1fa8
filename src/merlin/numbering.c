/* SPDX-License-Identifier: MIT */
/* Another reading meets ids in the same order as the first: each new id, and each allocation
 * that adopts no node, is the next node. So all that has to be kept is which node each id means
 * at the moment; windows, which have no table of nodes, take the numbers of new nodes from a
 * file. An id is forgotten when no later record names its node. */
#include "merlin/numbering.h"

#include "base/id_map.h"
#include "base/map.h"
#include "base/memory.h"
#include "trace/record.h"

#include <stdlib.h>

struct numbering_class {
    enum status (*apply)(struct numbering *numbering, struct record *record,
                         struct failure *why);
    /* The number of an id that a line about references names; 0: no record has named it. */
    uint64_t (*find)(const struct numbering *numbering, uint64_t id);
    void (*free)(struct numbering *numbering);
};

/* What numberings of both classes begin with. */
struct numbering {
    const struct numbering_class *methods;
    uint8_t names[RECORD_KINDS]; /* what each kind of record names */
    bool keeps_all;              /* the numbers of all ids */
};

enum { IDS_MIN = 1 << 12 };

/* With a table. When many ids mean something, those are forgotten whose node has been used for
 * the last time: no record names it any more, unless it is allocated again. */
struct table_numbering {
    struct numbering base;
    const struct objects *objects;
    const node_t *allocations; /* in their order */
    size_t allocation_count;
    const node_t *numbers; /* by node */

    /* The state of the second reading. */
    struct id_map nodes; /* id -> node */
    size_t many;         /* with so many ids, some may be forgotten */
    uint64_t tick;       /* boundaries so far */
    size_t allocated;    /* allocations so far */
    size_t next_node;    /* the node of the next new id */
};

/* Forgets the ids of nodes that are not used any more. An id that moves up to a slot before is
 * looked at there; one that moves past the end of the table stays for the next time. */
static void forget_ids(struct table_numbering *numbering)
{
    const uint64_t *last_uses = objects_last_uses(numbering->objects);
    struct id_map *nodes = &numbering->nodes;
    for (size_t i = 0; i < nodes->capacity; i++) {
        const struct id_number *slot = &nodes->slots[i];
        while (slot->id != 0 && last_uses[slot->number] < numbering->tick)
            id_map_take(nodes, slot->id);
    }
    numbering->many = nodes->used < IDS_MIN ? 2 * IDS_MIN : 2 * nodes->used;
}

/* From now on, *id means `node`; replaces it with the number of that. The first reading had as
 * many nodes and allocations as this one, unless the trace has been changed since; then `node`
 * may be NODE_NONE. So numbers mean nothing, and the reader of the trace finds that out at the
 * end. */
static enum status bind(struct table_numbering *numbering, uint64_t *id, node_t node,
                        struct failure *why)
{
    if (numbering->nodes.used >= numbering->many && !numbering->base.keeps_all)
        forget_ids(numbering);
    if (node != NODE_NONE) {
        uint64_t *means = id_map_insert(&numbering->nodes, *id);
        if (!means)
            return fail_memory(why);
        *means = node;
    }
    *id = numbering->numbers[node];
    return STATUS_OK;
}

static enum status apply_to_mention(struct table_numbering *numbering, uint64_t *id,
                                    struct failure *why)
{
    node_t node = (node_t)id_map_find(&numbering->nodes, *id);
    if (*id == 0)
        return STATUS_OK;
    if (node == NODE_NONE) {
        if (numbering->next_node < objects_count(numbering->objects))
            node = (node_t)numbering->next_node++;
        return bind(numbering, id, node, why);
    }
    *id = numbering->numbers[node];
    return STATUS_OK;
}

static enum status apply_to_allocation(struct table_numbering *numbering, uint64_t *id,
                                       struct failure *why)
{
    node_t node = NODE_NONE;
    if (numbering->allocated < numbering->allocation_count)
        node = numbering->allocations[numbering->allocated++];
    if (node == numbering->next_node)
        numbering->next_node++;
    return bind(numbering, id, node, why);
}

static enum status table_numbering_apply(struct numbering *base, struct record *record,
                                         struct failure *why)
{
    struct table_numbering *numbering = (struct table_numbering *)base;
    unsigned names = base->names[record->kind];
    if (record_is_allocation(record->kind))
        return apply_to_allocation(numbering, &record->object, why);
    if (names & RECORD_NAMES_FIRST)
        TRY(apply_to_mention(numbering, &record->object, why));
    if (names & RECORD_NAMES_SECOND)
        TRY(apply_to_mention(numbering, &record->value, why));
    numbering->tick += (unsigned)record_is_boundary(record->kind);
    return STATUS_OK;
}

static uint64_t table_numbering_find(const struct numbering *base, uint64_t id)
{
    const struct table_numbering *numbering = (const struct table_numbering *)base;
    node_t node = (node_t)id_map_find(&numbering->nodes, id);
    return node == NODE_NONE ? 0 : numbering->numbers[node];
}

static void table_numbering_free(struct numbering *base)
{
    struct table_numbering *numbering = (struct table_numbering *)base;
    id_map_free(&numbering->nodes);
    free(numbering);
}

static const struct numbering_class table_numbering_class = {
    .apply = table_numbering_apply,
    .find = table_numbering_find,
    .free = table_numbering_free,
};

enum status numbering_new(struct numbering **out, struct objects *objects, struct failure *why)
{
    struct table_numbering *numbering = calloc(1, sizeof *numbering);
    if (!numbering)
        return fail_memory(why);
    numbering->base.methods = &table_numbering_class;
    numbering->objects = objects;
    numbering->allocations = objects_allocations(objects, &numbering->allocation_count);
    numbering->next_node = 1;
    record_names_by_kind(numbering->base.names);
    numbering->many = IDS_MIN;
    numbering->numbers = objects_numbers(objects);
    if (!numbering->numbers) {
        table_numbering_free(&numbering->base);
        return fail_memory(why);
    }
    *out = &numbering->base;
    return STATUS_OK;
}

/* What an id means at the moment. */
struct numbered_id {
    uint64_t number;
    uint64_t last; /* record that names it; of a free item the next one, 0: none */
};

/* With windows. An id that is not in the map begins a node, and leaves the map after the last
 * record that names that node. So it does not matter whether an allocation is of a node that
 * has been named already: an earlier node of the id has left the map, unless it is the one that
 * is allocated. */
struct window_numbering {
    struct numbering base;
    struct number_stack *lasts;
    struct number_stack *numbers;
    uint64_t record;           /* the number of the present record */
    struct id_map by_id;       /* id -> index in items */
    struct numbered_id *items; /* from 1 on */
    size_t count;
    size_t capacity;
    uint64_t free;   /* the first free item; 0: none */
    struct map past; /* id -> number, of ids that have left by_id; if all are kept */
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
    TRY(number_stack_pop(numbering->numbers, why));
    return number_stack_pop(numbering->lasts, why);
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
        TRY(take_item(numbering, found, why));
        TRY(begin_node(numbering, *found, why));
    }
    *index = *found;
    *id = numbering->items[*index].number;
    return STATUS_OK;
}

/* Keeps the number of an id for lines about reference objects. */
static enum status keep_number(struct window_numbering *numbering, uint64_t id, uint64_t number,
                               struct failure *why)
{
    uint64_t *past = map_insert(&numbering->past, id);
    if (!past)
        return fail_memory(why);
    *past = number;
    return STATUS_OK;
}

/* Forgets `id`, whose item is at `index`, if no later record names it. */
static enum status forget_id(struct window_numbering *numbering, uint64_t id, uint64_t index,
                             struct failure *why)
{
    if (index == 0 || numbering->items[index].last != numbering->record)
        return STATUS_OK;
    id_map_take(&numbering->by_id, id);
    if (numbering->base.keeps_all)
        TRY(keep_number(numbering, id, numbering->items[index].number, why));
    numbering->items[index].last = numbering->free;
    numbering->free = index;
    return STATUS_OK;
}

static enum status window_numbering_apply(struct numbering *base, struct record *record,
                                          struct failure *why)
{
    struct window_numbering *numbering = (struct window_numbering *)base;
    unsigned names = base->names[record->kind];
    uint64_t first = record->object, second = record->value, indexes[2] = {0, 0};
    numbering->record++;
    if (names & RECORD_NAMES_FIRST)
        TRY(number_id(numbering, &record->object, &indexes[0], why));
    if (names & RECORD_NAMES_SECOND)
        TRY(number_id(numbering, &record->value, &indexes[1], why));
    TRY(forget_id(numbering, first, indexes[0], why));
    return indexes[1] == indexes[0] ? STATUS_OK : forget_id(numbering, second, indexes[1], why);
}

static uint64_t window_numbering_find(const struct numbering *base, uint64_t id)
{
    const struct window_numbering *numbering = (const struct window_numbering *)base;
    uint64_t index = id_map_find(&numbering->by_id, id);
    const uint64_t *past = index ? NULL : map_find(&numbering->past, id);
    return index ? numbering->items[index].number : past ? *past : 0;
}

static void window_numbering_free(struct numbering *base)
{
    struct window_numbering *numbering = (struct window_numbering *)base;
    number_stack_close(numbering->lasts);
    number_stack_close(numbering->numbers);
    id_map_free(&numbering->by_id);
    map_free(&numbering->past);
    free(numbering->items);
    free(numbering);
}

static const struct numbering_class window_numbering_class = {
    .apply = window_numbering_apply,
    .find = window_numbering_find,
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
    record_names_by_kind(numbering->base.names);
    *out = &numbering->base;
    return STATUS_OK;
}

enum status numbering_apply(struct numbering *numbering, struct record *record,
                            struct failure *why)
{
    const struct numbering_class *methods = numbering->methods;
    if (!record_is_about_reference(record->kind))
        return methods->apply(numbering, record, why);
    record->reference = methods->find(numbering, record->reference);
    if (record->kind == RECORD_REFERENCE)
        record->referent = methods->find(numbering, record->referent);
    return STATUS_OK;
}

void numbering_keep_all(struct numbering *numbering)
{
    numbering->keeps_all = true;
}

void numbering_free(struct numbering *numbering)
{
    if (numbering)
        numbering->methods->free(numbering);
}
