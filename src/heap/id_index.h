/* SPDX-License-Identifier: MIT */
/* An index from object ids to nodes. The ids themselves are only in the object table
 * (objects.h). */
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
    node_t node;  /* that the id means; NODE_NONE: the slot is empty */
    uint32_t tag; /* bits of the id's hash */
};

/* Zero-initialize it; id_index_free ends it. */
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

/* Rebuilds the index from nodes 1 to `count` - 1 of `objects`: each of their ids means its
 * node, or the last of several with the same id, and no other id means any. */
enum status id_index_build(struct id_index *index, const struct object *objects, size_t count,
                           struct failure *why) MUST_CHECK;

/* Makes room for one more id. `objects` and `count` as for id_index_build. */
enum status id_index_reserve(struct id_index *index, const struct object *objects, size_t count,
                             struct failure *why) MUST_CHECK;

/* The slot of `id`, which is not 0, or the one where it is to be added. There must be room for
 * one more id. The slot is good until the next call. */
struct id_entry *id_index_find(const struct id_index *index, const struct object *objects,
                               uint64_t id);

/* Makes the id whose slot is `entry` mean `node` from now on. */
void id_index_bind(struct id_index *index, struct id_entry *entry, node_t node);

/* Releases what the index owns; it is empty then. */
void id_index_free(struct id_index *index);

#endif
