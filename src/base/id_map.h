/* SPDX-License-Identifier: MIT */
/* A map from ids to numbers, neither of which is ever 0. Ids are removed as often as they are
 * added. */
#ifndef ETMERLIN_BASE_ID_MAP_H
#define ETMERLIN_BASE_ID_MAP_H

#include "base/hash.h"
#include "base/memory.h"

struct id_number {
    uint64_t id; /* 0: none is here */
    uint64_t number;
};

/* Zero-initialize it; id_map_free ends it. */
struct id_map {
    struct id_number *slots; /* a power of two of them */
    size_t capacity;
    size_t used;
    unsigned shift; /* of a hash, to the right: leaves the bits that number its slot */
    uint64_t seed;  /* of hashes */
};

/* The slot of `id` in a map without other ids. The map must have slots. */
static inline size_t id_map_home(const struct id_map *map, uint64_t id)
{
    return (size_t)(hash_id(map->seed, id) >> map->shift);
}

/* Loads the slot at which the look-up of `id` begins into the processor's cache. */
PREFETCHING void id_map_prefetch(const struct id_map *map, uint64_t id)
{
    if (map->slots)
        __builtin_prefetch(&map->slots[id_map_home(map, id)], 1);
}

/* A pointer to the number of `id`. If the id is new, it is added, and its number is 0 until the
 * caller sets it. NULL: no memory. The pointer is good until the next call. */
uint64_t *id_map_insert(struct id_map *map, uint64_t id) MUST_CHECK;

/* The number of `id`; 0: it is not in the map. */
uint64_t id_map_find(const struct id_map *map, uint64_t id);

/* Takes `id` out of the map and returns its number; 0: it is not there. */
uint64_t id_map_take(struct id_map *map, uint64_t id);

/* Releases what the map owns; it is empty then. */
void id_map_free(struct id_map *map);

#endif
