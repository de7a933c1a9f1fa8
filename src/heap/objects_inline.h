/* SPDX-License-Identifier: MIT */
/* The part of the object table that pass 1 needs for each record: public so that it can be
 * inlined. Only objects.c and the functions here use the members. */
#ifndef ETMERLIN_HEAP_OBJECTS_INLINE_H
#define ETMERLIN_HEAP_OBJECTS_INLINE_H

#include "base/hash.h"
#include "base/memory.h"
#include "base/status.h"
#include "heap/objects.h"

#include <stddef.h>

/* A slot of the hash table. */
struct id_entry {
    node_t node;  /* that the id means; NODE_NONE: the slot is empty */
    uint32_t tag; /* bits of the id's hash */
};

/* From object ids to nodes. The ids themselves are only in the object table. */
struct id_index {
    struct id_entry *entries; /* a power of two of them */
    size_t capacity;
    size_t used;
    unsigned shift; /* of a hash, to the right: leaves the bits that number its slot */
    uint64_t seed;  /* of hashes */
};

/* Loads the slot at which id_index_find begins to look for `id` into the processor's cache. */
PREFETCHING void id_index_prefetch(const struct id_index *index, uint64_t id)
{
    if (index->entries)
        __builtin_prefetch(&index->entries[hash_id(index->seed, id) >> index->shift], 1);
}

struct object {
    uint64_t id;
    slot_t first_slot;
    uint32_t thread; /* of the allocation, or OBJECT_NOT_ALLOCATED */
};

#define OBJECT_NOT_ALLOCATED UINT32_MAX

/* An id that has been looked up, and its node; NODE_NONE: the entry is empty. */
struct cached_id {
    uint64_t id;
    node_t node;
};

enum { ID_CACHE_BITS = 16 };

/* Last uses have an array of their own: they are what most records touch, and eight of them
 * share a cache line. */
struct objects {
    struct object *items; /* by node */
    size_t count;
    size_t capacity;
    uint64_t *last_uses; /* by node */
    size_t last_use_capacity;

    node_t *allocations;
    size_t allocation_count;
    size_t allocation_capacity;
    node_t *numbers; /* by node; NULL: not made yet */

    struct id_index index;
    struct cached_id *cache; /* a direct-mapped cache of the index */
};

/* The cache entry of `id`. */
static inline struct cached_id *objects_cache_entry(const struct objects *objects, uint64_t id)
{
    return &objects->cache[hash_slot(id, ID_CACHE_BITS)];
}

/* Called by objects_find when `id` is not in the cache. */
enum status objects_find_in_index(struct objects *objects, uint64_t id, node_t *node,
                                  struct failure *why) MUST_CHECK;

/* Sets *node to the node that object `id` means now, or to NODE_NONE if `id` is 0. A new id
 * gets a node. */
static inline enum status MUST_CHECK objects_find(struct objects *objects, uint64_t id,
                                                  node_t *node, struct failure *why)
{
    const struct cached_id *entry = objects_cache_entry(objects, id);
    if (entry->id != id)
        return objects_find_in_index(objects, id, node, why);
    *node = entry->node;
    return STATUS_OK;
}

/* Loads the cache entry that objects_find looks at for `id` into the processor's cache. */
PREFETCHING void objects_prefetch_id(const struct objects *objects, uint64_t id)
{
    __builtin_prefetch(objects_cache_entry(objects, id));
}

/* Loads the last use of object `id`, which objects_use changes, into the processor's cache; if
 * the id is not in the cache of ids, its slot in the index, which objects_find needs. */
PREFETCHING void objects_prefetch_use(const struct objects *objects, uint64_t id)
{
    const struct cached_id *entry = objects_cache_entry(objects, id);
    if (entry->id == id)
        __builtin_prefetch(&objects->last_uses[entry->node], 1);
    else
        id_index_prefetch(&objects->index, id);
}

/* Records that `node` is used when `now` boundaries have passed. NODE_NONE is allowed. */
static inline void objects_use(struct objects *objects, node_t node, uint64_t now)
{
    objects->last_uses[node] = now;
}

/* A pointer to the first slot of `node` (slots.h), good until a node is added. */
static inline slot_t *objects_first_slot(struct objects *objects, node_t node)
{
    return &objects->items[node].first_slot;
}

#endif
