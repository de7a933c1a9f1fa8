/* SPDX-License-Identifier: MIT */
/* From object ids to nodes. The ids themselves stand in the object table (objects.h). */
#ifndef ETMERLIN_HEAP_ID_INDEX_H
#define ETMERLIN_HEAP_ID_INDEX_H

#include "base/hash.h"
#include "base/memory.h"
#include "base/status.h"
#include "heap/node.h"

#include <stddef.h>

struct object;

/* A slot of the hash table. */
struct id_entry {
    node_t node;  /* that the id means; NODE_NONE: none */
    uint32_t tag; /* bits of the id's hash */
};

/* Zero-initialize it; id_index_free ends it. */
struct id_index {
    struct id_entry *entries; /* a power of two of them */
    size_t capacity;
    size_t used;
    unsigned shift; /* leaves of a hash the bits that show its slot */
    uint64_t seed;  /* of hashes */
};

/* Loads what id_index_find of `id` will look at first into the processor's cache. */
PREFETCHING void id_index_prefetch(const struct id_index *index, uint64_t id)
{
    if (index->entries)
        __builtin_prefetch(&index->entries[hash_id(index->seed, id) >> index->shift], 1);
}

/* Makes each id of nodes 1 to `count` - 1 in `objects`, of several with one id the last, mean
 * its node, and no other id mean any. */
enum status id_index_build(struct id_index *index, const struct object *objects, size_t count,
                           struct failure *why) MUST_CHECK;

/* Makes room for one more id. `objects` and `count` as above. */
enum status id_index_reserve(struct id_index *index, const struct object *objects, size_t count,
                             struct failure *why) MUST_CHECK;

/* The slot of `id`, which is not 0, or that it will have, if there is room for one more id; it
 * is good until the next call. */
struct id_entry *id_index_find(const struct id_index *index, const struct object *objects,
                               uint64_t id);

/* The id whose slot `entry` is means `node` from now on. */
void id_index_bind(struct id_index *index, struct id_entry *entry, node_t node);

/* No id means a node then. */
void id_index_free(struct id_index *index);

#endif
