/* SPDX-License-Identifier: MIT */
/* The second reading meets ids in the same order as the first: each new id, and each allocation
 * that adopts no node, is the next node. So all that has to be kept is which node each id means
 * at the moment. When these are many, those are forgotten whose node has been used for the last
 * time: no record names it any more, unless it is allocated again. */
#include "merlin/numbering.h"

#include "base/id_map.h"
#include "trace/record.h"

#include <stdlib.h>

enum { IDS_MIN = 1 << 12 };

struct table_numbering {
    struct numbering base;
    const struct objects *objects;
    const node_t *allocations; /* in their order */
    size_t allocation_count;
    const node_t *numbers;       /* by node */
    uint8_t names[RECORD_KINDS]; /* what each kind of record names */

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
    if (numbering->nodes.used >= numbering->many)
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
    unsigned names = numbering->names[record->kind];
    if (record_is_allocation(record->kind))
        return apply_to_allocation(numbering, &record->object, why);
    if (names & RECORD_NAMES_FIRST)
        TRY(apply_to_mention(numbering, &record->object, why));
    if (names & RECORD_NAMES_SECOND)
        TRY(apply_to_mention(numbering, &record->value, why));
    numbering->tick += (unsigned)record_is_boundary(record->kind);
    return STATUS_OK;
}

static void table_numbering_free(struct numbering *base)
{
    struct table_numbering *numbering = (struct table_numbering *)base;
    id_map_free(&numbering->nodes);
    free(numbering);
}

static const struct numbering_class table_numbering_class = {
    .apply = table_numbering_apply,
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
    record_names_by_kind(numbering->names);
    numbering->many = IDS_MIN;
    numbering->numbers = objects_numbers(objects);
    if (!numbering->numbers) {
        table_numbering_free(&numbering->base);
        return fail_memory(why);
    }
    *out = &numbering->base;
    return STATUS_OK;
}

enum status numbering_apply(struct numbering *numbering, struct record *record,
                            struct failure *why)
{
    return numbering->methods->apply(numbering, record, why);
}

void numbering_free(struct numbering *numbering)
{
    if (numbering)
        numbering->methods->free(numbering);
}
