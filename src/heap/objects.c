/* Last uses stand in an array of their own: they are what most records touch,
 * and eight of them share a cache line. A Judy array leads from ids to nodes;
 * in front of it a small direct-mapped cache answers for the ids in use at the moment. */
#include "heap/objects.h"

#include "base/map.h"
#include "base/memory.h"

#include <stdlib.h>

enum { CACHE_BITS = 16, CACHE_SIZE = 1 << CACHE_BITS };

#define NOT_ALLOCATED UINT32_MAX

/* An id that was looked up, and its node; NODE_NONE: an empty entry. */
struct cached {
    uint64_t id;
    node_t node;
};

struct object {
    uint64_t id;
    uint32_t first_slot;
    uint32_t thread; /* of the allocation, or NOT_ALLOCATED */
};

struct objects {
    struct object *items; /* by node */
    size_t count;
    size_t capacity;
    uint64_t *last_uses; /* by node */
    size_t last_use_capacity;

    node_t *allocations;
    size_t allocation_count;
    size_t allocation_capacity;

    struct map index;
    struct cached *cache;
};

static enum status add_node(struct objects *objects, uint64_t id, node_t *node,
                            struct failure *why)
{
    size_t count = objects->count;
    if (count > NODE_MAX)
        return fail(why, STATUS_LIMIT, "The trace names more than %u objects", NODE_MAX);
    struct object *items =
        array_grow(objects->items, &objects->capacity, count + 1, sizeof *items);
    if (!items)
        return fail_memory(why);
    objects->items = items;
    uint64_t *last_uses = array_grow(objects->last_uses, &objects->last_use_capacity, count + 1,
                                     sizeof *last_uses);
    if (!last_uses)
        return fail_memory(why);
    objects->last_uses = last_uses;
    items[count] = (struct object){.id = id, .thread = NOT_ALLOCATED};
    last_uses[count] = 0;
    *node = (node_t)count;
    objects->count++;
    return STATUS_OK;
}

enum status objects_new(struct objects **out, struct failure *why)
{
    struct objects *objects = calloc(1, sizeof *objects);
    if (!objects)
        return fail_memory(why);
    objects->cache = array_new(CACHE_SIZE, sizeof *objects->cache);
    node_t none;
    enum status status = objects->cache ? add_node(objects, 0, &none, why) : fail_memory(why);
    if (status != STATUS_OK) {
        objects_free(objects);
        return status;
    }
    *out = objects;
    return STATUS_OK;
}

/* Where `id` stands in the cache: the top bits of a multiplication by 2^64 divided by the
 * golden ratio, which spreads ids that follow each other. */
static struct cached *cache_entry(const struct objects *objects, uint64_t id)
{
    return &objects->cache[(id * UINT64_C(0x9E3779B97F4A7C15)) >> (64 - CACHE_BITS)];
}

/* Makes `id` mean `node` from now on. */
static enum status bind(struct objects *objects, uint64_t id, node_t node, struct failure *why)
{
    uint64_t *value = map_insert(&objects->index, id);
    if (!value)
        return fail_memory(why);
    *value = node;
    *cache_entry(objects, id) = (struct cached){id, node};
    return STATUS_OK;
}

/* The node that `id` means, or NODE_NONE. */
static node_t look_up(struct objects *objects, uint64_t id)
{
    struct cached *entry = cache_entry(objects, id);
    if (entry->id == id)
        return entry->node;
    const uint64_t *value = map_find(&objects->index, id);
    if (!value)
        return NODE_NONE;
    *entry = (struct cached){id, (node_t)*value};
    return entry->node;
}

enum status objects_find(struct objects *objects, uint64_t id, node_t *node,
                         struct failure *why)
{
    *node = look_up(objects, id);
    if (*node != NODE_NONE || id == 0)
        return STATUS_OK;
    enum status status = add_node(objects, id, node, why);
    return status == STATUS_OK ? bind(objects, id, *node, why) : status;
}

enum status objects_allocate(struct objects *objects, uint64_t id, uint32_t thread,
                             node_t *node, enum allocation *how, struct failure *why)
{
    *node = look_up(objects, id);
    *how = *node == NODE_NONE                              ? ALLOCATION_NEW
           : objects->items[*node].thread == NOT_ALLOCATED ? ALLOCATION_ADOPTED
                                                           : ALLOCATION_REPEATED;
    node_t *allocations =
        array_grow(objects->allocations, &objects->allocation_capacity,
                   objects->allocation_count + 1, sizeof *objects->allocations);
    if (!allocations)
        return fail_memory(why);
    objects->allocations = allocations;
    if (*how != ALLOCATION_ADOPTED) {
        enum status status = add_node(objects, id, node, why);
        if (status == STATUS_OK)
            status = bind(objects, id, *node, why);
        if (status != STATUS_OK)
            return status;
    }
    objects->items[*node].thread = thread;
    allocations[objects->allocation_count++] = *node;
    return STATUS_OK;
}

void objects_use(struct objects *objects, node_t node, uint64_t now)
{
    objects->last_uses[node] = now;
}

uint32_t *objects_first_slot(struct objects *objects, node_t node)
{
    return &objects->items[node].first_slot;
}

size_t objects_count(const struct objects *objects)
{
    return objects->count;
}

const node_t *objects_allocations(const struct objects *objects, size_t *count)
{
    *count = objects->allocation_count;
    return objects->allocations;
}

bool objects_is_allocated(const struct objects *objects, node_t node)
{
    return objects->items[node].thread != NOT_ALLOCATED;
}

uint64_t objects_id(const struct objects *objects, node_t node)
{
    return objects->items[node].id;
}

uint32_t objects_thread(const struct objects *objects, node_t node)
{
    return objects->items[node].thread;
}

const uint64_t *objects_last_uses(const struct objects *objects)
{
    return objects->last_uses;
}

void objects_drop_index(struct objects *objects)
{
    map_free(&objects->index);
    free(objects->cache);
    objects->cache = NULL;
}

void objects_free(struct objects *objects)
{
    if (!objects)
        return;
    objects_drop_index(objects);
    free(objects->items);
    free(objects->last_uses);
    free(objects->allocations);
    free(objects);
}
