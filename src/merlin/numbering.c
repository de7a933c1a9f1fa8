/* SPDX-License-Identifier: MIT */
/* The second reading meets ids in the same order as the first: each new id, and each allocation
 * that adopts no node, is the next node. So nodes need not be remembered, only which number
 * each id means at the moment. A map has these, and a small direct-mapped cache answers for the
 * ids in use. */
#include "merlin/numbering.h"

#include "base/hash.h"
#include "base/map.h"
#include "base/memory.h"
#include "trace/record.h"

#include <stdlib.h>

enum { CACHE_BITS = 16 };

struct cached_number {
    uint64_t id; /* 0: none */
    uint64_t number;
};

struct table_numbering {
    struct numbering base;
    const struct objects *objects;
    const node_t *allocations; /* in their order */
    size_t allocation_count;
    const struct record_layout *layouts[RECORD_KINDS];

    /* The state of the second reading. */
    struct map current; /* id -> number */
    struct cached_number *cache;
    size_t allocated; /* allocations so far */
    size_t next_node; /* the node of the next new id */
};

/* The number of the next node; 0: there is none. The first reading had as many nodes and
 * allocations, unless the trace has been changed since. Then the numbers mean nothing, and the
 * reader of the trace finds that out at the end. */
static uint64_t number_of_next_node(struct table_numbering *numbering)
{
    if (numbering->next_node == objects_count(numbering->objects))
        return 0;
    return objects_id(numbering->objects, (node_t)numbering->next_node++);
}

/* The cache entry of `id`. */
static struct cached_number *cache_entry(const struct table_numbering *numbering, uint64_t id)
{
    return &numbering->cache[hash_slot(id, CACHE_BITS)];
}

/* Called by apply_to_mention when the cache does not have the id. */
static enum status apply_from_map(struct table_numbering *numbering, uint64_t *id,
                                  struct failure *why)
{
    uint64_t *number = map_find(&numbering->current, *id);
    if (!number) {
        number = map_insert(&numbering->current, *id);
        if (!number)
            return fail_memory(why);
        *number = number_of_next_node(numbering);
    }
    *cache_entry(numbering, *id) = (struct cached_number){*id, *number};
    *id = *number;
    return STATUS_OK;
}

static enum status apply_to_mention(struct table_numbering *numbering, uint64_t *id,
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

static enum status apply_to_allocation(struct table_numbering *numbering, uint64_t *id,
                                       struct failure *why)
{
    uint64_t *number = map_insert(&numbering->current, *id);
    if (!number)
        return fail_memory(why);
    if (numbering->allocated < numbering->allocation_count &&
        numbering->allocations[numbering->allocated] == numbering->next_node)
        numbering->next_node++;
    *number = ++numbering->allocated;
    *cache_entry(numbering, *id) = (struct cached_number){*id, *number};
    *id = *number;
    return STATUS_OK;
}

static enum status table_numbering_apply(struct numbering *base, struct record *record,
                                         struct failure *why)
{
    struct table_numbering *numbering = (struct table_numbering *)base;
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

static void table_numbering_free(struct numbering *base)
{
    struct table_numbering *numbering = (struct table_numbering *)base;
    map_free(&numbering->current);
    free(numbering->cache);
    free(numbering);
}

static const struct numbering_class table_numbering_class = {
    .apply = table_numbering_apply,
    .free = table_numbering_free,
};

enum status numbering_new(struct numbering **out, const struct objects *objects,
                          struct failure *why)
{
    struct table_numbering *numbering = calloc(1, sizeof *numbering);
    if (!numbering)
        return fail_memory(why);
    numbering->base.methods = &table_numbering_class;
    numbering->objects = objects;
    numbering->allocations = objects_allocations(objects, &numbering->allocation_count);
    numbering->next_node = 1;
    record_layouts_by_kind(numbering->layouts);
    numbering->cache = array_new((size_t)1 << CACHE_BITS, sizeof *numbering->cache);
    if (!numbering->cache) {
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
