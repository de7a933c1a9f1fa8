/* SPDX-License-Identifier: MIT */
/* A hash table with linear probing, kept at most 13/16 full: 10 to 20 bytes an id. Ids stand in
 * the object table only; what is noted of their hashes makes it rare that one is compared in
 * vain. Ids leave the index only when it is built anew from the object table; it grows in the
 * same way, so there never are two. Hashes depend on random bits of the process, or else ids
 * could be made that all have one. */
#include "heap/id_index.h"

#include "base/memory.h"
#include "heap/objects_inline.h"

#include <stdlib.h>
#include <string.h>

enum { INDEX_BITS_MIN = 10, NODES_AHEAD = 16 };

/* How many ids an index has room for. */
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

/* Makes the index as large as it must be for one more id than `count`, and empty. */
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
