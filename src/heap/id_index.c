/* SPDX-License-Identifier: MIT */
/* A hash table with linear probing, at most 13/16 full: 10 to 20 bytes an id. Ids are only in
 * the object table; the bits of their hashes in the slots make it rare that an id is compared
 * in vain. Ids are removed only when the index is rebuilt from the object table; it also grows
 * in this way, so there are never two indexes at a time. Hashes depend on random bits of the
 * process, or else an input could have many ids with the same hash. */
#include "heap/id_index.h"

#include "base/memory.h"
#include "heap/objects_inline.h"

#include <stdlib.h>
#include <string.h>

enum { INDEX_BITS_MIN = 10, NODES_AHEAD = 16 };

/* How many ids an index with `capacity` slots has room for. */
static size_t room_of(size_t capacity)
{
    return capacity / 16 * 13;
}

struct id_entry *id_index_find(const struct id_index *index, const struct object *objects,
                               uint64_t id)
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

void id_index_bind(struct id_index *index, struct id_entry *entry, node_t node)
{
    index->used += entry->node == NODE_NONE;
    entry->node = node;
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

enum status id_index_build(struct id_index *index, const struct object *objects, size_t count,
                           struct failure *why)
{
    enum status status = clear_for(index, count, why);
    for (size_t node = 1; node < count && status == STATUS_OK; node++) {
        if (node + NODES_AHEAD < count)
            id_index_prefetch(index, objects[node + NODES_AHEAD].id);
        id_index_bind(index, id_index_find(index, objects, objects[node].id), (node_t)node);
    }
    return status;
}

enum status id_index_reserve(struct id_index *index, const struct object *objects, size_t count,
                             struct failure *why)
{
    return index->used < room_of(index->capacity) ? STATUS_OK
                                                  : id_index_build(index, objects, count, why);
}

void id_index_free(struct id_index *index)
{
    free(index->entries);
    *index = (struct id_index){.entries = NULL};
}
