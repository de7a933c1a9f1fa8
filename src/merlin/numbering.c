/* SPDX-License-Identifier: MIT */
/* The second reading meets ids as the first one did: an id that is new, and an allocation that
 * adopts no node, is the next node. So no node needs to be remembered, only what number each id
 * means at the moment: a map tells, and in front of it a small direct-mapped cache answers for
 * the ids in use. */
#include "merlin/numbering.h"

#include "base/hash.h"
#include "base/map.h"
#include "base/memory.h"
#include "trace/record_layout.h"

#include <stdlib.h>

enum { CACHE_BITS = 16 };

struct cached_number {
    uint64_t id; /* 0: none */
    node_t number;
};

struct numbering {
    const node_t *allocations; /* in their order */
    size_t allocation_count;
    size_t node_count; /* NODE_NONE is one */
    node_t *numbers;   /* by node */
    const struct record_layout *layouts[RECORD_KINDS];

    /* How far the second reading is. */
    struct map current; /* id -> number */
    struct cached_number *cache;
    size_t allocated; /* allocations so far */
    size_t next_node; /* the next id that is new gets this one */
};

static void number_nodes(struct numbering *numbering)
{
    node_t number = 0;
    for (size_t i = 0; i < numbering->allocation_count; i++)
        numbering->numbers[numbering->allocations[i]] = ++number;
    for (size_t node = 1; node < numbering->node_count; node++)
        if (numbering->numbers[node] == 0)
            numbering->numbers[node] = ++number;
}

enum status numbering_new(struct numbering **out, const struct objects *objects,
                          struct failure *why)
{
    struct numbering *numbering = calloc(1, sizeof *numbering);
    if (!numbering)
        return fail_memory(why);
    numbering->allocations = objects_allocations(objects, &numbering->allocation_count);
    numbering->node_count = objects_count(objects);
    numbering->next_node = 1;
    record_layouts_by_kind(numbering->layouts);
    numbering->numbers = array_new(numbering->node_count, sizeof *numbering->numbers);
    numbering->cache = array_new((size_t)1 << CACHE_BITS, sizeof *numbering->cache);
    if (!numbering->numbers || !numbering->cache) {
        numbering_free(numbering);
        return fail_memory(why);
    }
    number_nodes(numbering);
    *out = numbering;
    return STATUS_OK;
}

const node_t *numbering_numbers(const struct numbering *numbering)
{
    return numbering->numbers;
}

/* There are as many nodes and allocations as in the first reading, or the trace has been
 * changed since: then the numbers mean nothing, and whoever reads it finds that out in the end.
 */
static node_t number_of_next_node(struct numbering *numbering)
{
    if (numbering->next_node == numbering->node_count)
        return 0;
    return numbering->numbers[numbering->next_node++];
}

/* Where `id` stands in the cache. */
static struct cached_number *cache_entry(const struct numbering *numbering, uint64_t id)
{
    return &numbering->cache[hash_place(id, CACHE_BITS)];
}

/* What apply_to_mention does when the cache does not know the id. */
static enum status apply_from_map(struct numbering *numbering, uint64_t *id,
                                  struct failure *why)
{
    uint64_t *number = map_find(&numbering->current, *id);
    if (!number) {
        number = map_insert(&numbering->current, *id);
        if (!number)
            return fail_memory(why);
        *number = number_of_next_node(numbering);
    }
    *cache_entry(numbering, *id) = (struct cached_number){*id, (node_t)*number};
    *id = *number;
    return STATUS_OK;
}

static enum status apply_to_mention(struct numbering *numbering, uint64_t *id,
                                    struct failure *why)
{
    const struct cached_number *cached = cache_entry(numbering, *id);
    if (*id == 0)
        return STATUS_OK;
    if (cached->id != *id)
        return apply_from_map(numbering, id, why);
    *id = cached->number;
    return STATUS_OK;
}

static enum status apply_to_allocation(struct numbering *numbering, uint64_t *id,
                                       struct failure *why)
{
    uint64_t *number = map_insert(&numbering->current, *id);
    if (!number)
        return fail_memory(why);
    if (numbering->allocated < numbering->allocation_count &&
        numbering->allocations[numbering->allocated] == numbering->next_node)
        numbering->next_node++;
    *number = ++numbering->allocated;
    *cache_entry(numbering, *id) = (struct cached_number){*id, (node_t)*number};
    *id = *number;
    return STATUS_OK;
}

enum status numbering_apply(struct numbering *numbering, struct record *record,
                            struct failure *why)
{
    const struct record_layout *layout = numbering->layouts[record->kind];
    enum status status = STATUS_OK;
    for (size_t i = 0; i < layout->count && status == STATUS_OK; i++) {
        const struct record_field *field = &layout->fields[i];
        if (field->role == ROLE_NEW_OBJECT)
            status = apply_to_allocation(numbering, record_at(record, field), why);
        else if (field->role == ROLE_OBJECT)
            status = apply_to_mention(numbering, record_at(record, field), why);
    }
    return status;
}

void numbering_free(struct numbering *numbering)
{
    if (!numbering)
        return;
    map_free(&numbering->current);
    free(numbering->cache);
    free(numbering->numbers);
    free(numbering);
}
