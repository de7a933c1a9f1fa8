/* SPDX-License-Identifier: MIT */
/* The index from ids to nodes is a hash table with linear probing, at most 13/16 full: 10 to 20
 * bytes an id. Ids are only in the object table; the bits of their hashes in the slots make it
 * rare that an id is compared in vain. Ids are removed only when the index is rebuilt from the
 * object table; it also grows in this way, so there are never two indexes at a time. Hashes
 * depend on random bits of the process, or else an input could have many ids with the same
 * hash. A small direct-mapped cache answers for the ids that are in use at the moment, so that
 * the index is asked less often. */
#include "heap/objects_inline.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { INDEX_BITS_MIN = 10, NODES_AHEAD = 16 };

/* How many ids an index with `capacity` slots has room for. */
static size_t room_of(size_t capacity)
{
    return capacity / 16 * 13;
}

/* The slot of `id`, which is not 0, or the one where it is to be added. There must be room for
 * one more id. The slot is good until the next call. */
static struct id_entry *id_index_find(const struct id_index *index,
                                      const struct object *objects, uint64_t id)
{
    uint64_t hash = hash_id(index->seed, id);
    size_t slot = (size_t)(hash >> index->shift);
    for (;; slot = (slot + 1) & (index->capacity - 1)) {
        struct id_entry *entry = &index->entries[slot];
        if (entry->node == NODE_NONE)
            entry->tag = (uint32_t)hash;
        if (entry->node == NODE_NONE ||
            (entry->tag == (uint32_t)hash && objects[entry->node].id == id))
            return entry;
    }
}

/* Makes the id whose slot is `entry` mean `node` from now on. */
static void id_index_bind(struct id_index *index, struct id_entry *entry, node_t node)
{
    index->used += entry->node == NODE_NONE;
    entry->node = node;
}

/* Releases what the index owns; it is empty then. */
static void id_index_free(struct id_index *index)
{
    free(index->entries);
    *index = (struct id_index){.entries = NULL};
}

/* Empties the index, and makes it so large that it has room for more than `count` ids. */
static enum status clear_for(struct id_index *index, size_t count, struct failure *why)
{
    unsigned bits = INDEX_BITS_MIN;
    while (bits < 63 && room_of((size_t)1 << bits) <= count)
        bits++;
    size_t capacity = (size_t)1 << bits;
    if (capacity != index->capacity) {
        id_index_free(index);
        index->entries = array_of_pages(capacity, sizeof *index->entries);
    }
    if (!index->entries)
        return fail_memory(why);
    memset(index->entries, 0, capacity * sizeof *index->entries);
    *index = (struct id_index){index->entries, capacity, 0, 64 - bits, hash_seed()};
    return STATUS_OK;
}

/* Rebuilds the index from nodes 1 to `count` - 1 of `objects`: each of their ids means its
 * node, or the last of several with the same id, and no other id means any. */
static enum status id_index_build(struct id_index *index, const struct object *objects,
                                  size_t count, struct failure *why)
{
    enum status status = clear_for(index, count, why);
    for (size_t node = 1; node < count && status == STATUS_OK; node++) {
        if (node + NODES_AHEAD < count)
            id_index_prefetch(index, objects[node + NODES_AHEAD].id);
        id_index_bind(index, id_index_find(index, objects, objects[node].id), (node_t)node);
    }
    return status;
}

/* Makes room for one more id. `objects` and `count` as for id_index_build. */
static enum status id_index_reserve(struct id_index *index, const struct object *objects,
                                    size_t count, struct failure *why)
{
    return index->used < room_of(index->capacity) ? STATUS_OK
                                                  : id_index_build(index, objects, count, why);
}

static enum status add_node(struct objects *objects, uint64_t id, node_t *node,
                            struct failure *why)
{
    size_t count = objects->count;
    if (count > NODE_MAX)
        return fail(why, STATUS_LIMIT, "The trace names more than %" PRIu64 " objects",
                    (uint64_t)NODE_MAX);
    if (!ARRAY_RESERVE(objects->items, objects->capacity, count + 1) ||
        !ARRAY_RESERVE(objects->last_uses, objects->last_use_capacity, count + 1))
        return fail_memory(why);
    objects->items[count] = (struct object){.id = id, .thread = OBJECT_NOT_ALLOCATED};
    objects->last_uses[count] = 0;
    *node = (node_t)count;
    objects->count++;
    return STATUS_OK;
}

enum status objects_new(struct objects **out, struct failure *why)
{
    struct objects *objects = calloc(1, sizeof *objects);
    if (!objects)
        return fail_memory(why);
    objects->cache = array_new((size_t)1 << ID_CACHE_BITS, sizeof *objects->cache);
    node_t none;
    enum status status = objects->cache ? add_node(objects, 0, &none, why) : fail_memory(why);
    if (status != STATUS_OK) {
        objects_free(objects);
        return status;
    }
    *out = objects;
    return STATUS_OK;
}

/* Adds a node for `id`, and binds the index's entry of the id to it. */
static enum status add_and_bind(struct objects *objects, uint64_t id, struct id_entry *entry,
                                node_t *node, struct failure *why)
{
    enum status status = add_node(objects, id, node, why);
    if (status == STATUS_OK)
        id_index_bind(&objects->index, entry, *node);
    return status;
}

/* Sets *entry to the index's entry of `id`, which is empty if the id is new. */
static enum status find_or_reserve(struct objects *objects, uint64_t id,
                                   struct id_entry **entry, struct failure *why)
{
    enum status status = id_index_reserve(&objects->index, objects->items, objects->count, why);
    if (status == STATUS_OK)
        *entry = id_index_find(&objects->index, objects->items, id);
    return status;
}

enum status objects_find_in_index(struct objects *objects, uint64_t id, node_t *node,
                                  struct failure *why)
{
    struct id_entry *entry;
    *node = NODE_NONE;
    if (id == 0)
        return STATUS_OK;
    enum status status = find_or_reserve(objects, id, &entry, why);
    if (status != STATUS_OK)
        return status;
    *node = entry->node;
    if (*node == NODE_NONE)
        status = add_and_bind(objects, id, entry, node, why);
    if (status == STATUS_OK)
        *objects_cache_entry(objects, id) = (struct cached_id){id, *node};
    return status;
}

node_t objects_known(const struct objects *objects, uint64_t id)
{
    if (id == 0 || !objects->index.entries)
        return NODE_NONE;
    return id_index_find(&objects->index, objects->items, id)->node;
}

/* Makes room for one more allocation. */
static enum status reserve_allocation(struct objects *objects, struct failure *why)
{
    return ARRAY_RESERVE(objects->allocations, objects->allocation_capacity,
                         objects->allocation_count + 1)
               ? STATUS_OK
               : fail_memory(why);
}

enum status objects_allocate(struct objects *objects, uint64_t id, uint32_t thread,
                             node_t *before, node_t *node, enum allocation *how,
                             struct failure *why)
{
    struct id_entry *entry;
    enum status status = reserve_allocation(objects, why);
    if (status == STATUS_OK)
        status = find_or_reserve(objects, id, &entry, why);
    if (status != STATUS_OK)
        return status;
    *before = *node = entry->node;
    *how = allocation_of(*node != NODE_NONE, objects_is_allocated(objects, *node));
    if (allocation_begins_node(*how))
        status = add_and_bind(objects, id, entry, node, why);
    if (status != STATUS_OK)
        return status;
    *objects_cache_entry(objects, id) = (struct cached_id){id, *node};
    objects->items[*node].thread = thread;
    objects->allocations[objects->allocation_count++] = *node;
    return STATUS_OK;
}

size_t objects_count(const struct objects *objects)
{
    return objects->count;
}

size_t objects_named(const struct objects *objects)
{
    return objects->count - 1;
}

const node_t *objects_allocations(const struct objects *objects, size_t *count)
{
    *count = objects->allocation_count;
    return objects->allocations;
}

bool objects_is_allocated(const struct objects *objects, node_t node)
{
    return objects->items[node].thread != OBJECT_NOT_ALLOCATED;
}

uint64_t objects_id(const struct objects *objects, node_t node)
{
    return objects->items[node].id;
}

const node_t *objects_numbers(struct objects *objects)
{
    node_t *numbers = objects->numbers, number = 0;
    if (numbers)
        return numbers;
    numbers = array_new(objects->count, sizeof *numbers);
    if (!numbers)
        return NULL;
    while (number < objects->allocation_count) {
        node_t node = objects->allocations[number];
        numbers[node] = ++number;
    }
    for (size_t node = 1; node < objects->count; node++)
        if (!objects_is_allocated(objects, (node_t)node))
            numbers[node] = ++number;
    objects->numbers = numbers;
    return numbers;
}

enum status objects_renumber(struct objects *objects, struct failure *why)
{
    const node_t *numbers = objects_numbers(objects);
    if (!numbers)
        return fail_memory(why);
    for (size_t node = 0; node < objects->count; node++)
        objects->items[node].id = numbers[node];
    return STATUS_OK;
}

uint32_t objects_thread(const struct objects *objects, node_t node)
{
    return objects->items[node].thread;
}

const uint64_t *objects_last_uses(const struct objects *objects)
{
    return objects->last_uses;
}

/* Keeps the allocations of nodes that stay, with their new numbers. */
static void move_allocations(struct objects *objects, const node_t *moved)
{
    size_t kept = 0;
    for (size_t i = 0; i < objects->allocation_count; i++)
        if (moved[objects->allocations[i]] != NODE_NONE)
            objects->allocations[kept++] = moved[objects->allocations[i]];
    objects->allocation_count = kept;
}

enum status objects_move(struct objects *objects, const node_t *moved, struct failure *why)
{
    size_t count = 1;
    memset(objects->cache, 0, sizeof *objects->cache << ID_CACHE_BITS);
    move_allocations(objects, moved);
    for (size_t node = 1; node < objects->count; node++) {
        if (moved[node] == NODE_NONE)
            continue;
        objects->items[count] = objects->items[node];
        objects->last_uses[count++] = objects->last_uses[node];
    }
    objects->count = count;
    free(objects->numbers);
    objects->numbers = NULL;
    return id_index_build(&objects->index, objects->items, count, why);
}

void objects_suspend_index(struct objects *objects)
{
    id_index_free(&objects->index);
}

void objects_drop_index(struct objects *objects)
{
    objects_suspend_index(objects);
    free(objects->cache);
    objects->cache = NULL;
}

void objects_drop(struct objects *objects)
{
    objects_drop_index(objects);
    free(objects->items);
    free(objects->last_uses);
    free(objects->allocations);
    free(objects->numbers);
    objects->items = NULL;
    objects->last_uses = NULL;
    objects->allocations = NULL;
    objects->numbers = NULL;
}

void objects_free(struct objects *objects)
{
    if (!objects)
        return;
    objects_drop(objects);
    free(objects);
}
