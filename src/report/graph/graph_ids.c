/* SPDX-License-Identifier: MIT */
/* A hash table with linear probing, at most three quarters full. What leaves makes room for
 * those after it that could not stand nearer to their home (base/id_map.c). */
#include "report/graph/graph_ids.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdlib.h>

enum { PLACE_BITS_MIN = 10 };

static size_t home_of(const struct graph_ids *map, uint64_t id)
{
    return (size_t)(hash_id(map->seed, id) >> map->shift);
}

/* The place of `id`, or the empty one where it will stand. */
static size_t find_place(const struct graph_ids *map, const uint64_t *ids, uint64_t id)
{
    size_t place = home_of(map, id);
    while (map->places[place] != NODE_NONE && ids[map->places[place]] != id)
        place = (place + 1) & (map->capacity - 1);
    return place;
}

node_t graph_ids_find(const struct graph_ids *map, const uint64_t *ids, uint64_t id)
{
    return map->places ? map->places[find_place(map, ids, id)] : NODE_NONE;
}

/* Makes room for one more object. */
static bool make_room(struct graph_ids *map, const uint64_t *ids)
{
    if (map->used < map->capacity / 4 * 3)
        return true;
    struct graph_ids larger = {.capacity = (size_t)1 << PLACE_BITS_MIN,
                               .used = map->used,
                               .shift = 64 - PLACE_BITS_MIN,
                               .seed = hash_seed()};
    if (map->places) {
        larger.capacity = 2 * map->capacity;
        larger.shift = map->shift - 1;
    }
    larger.places = array_new(larger.capacity, sizeof *larger.places);
    if (!larger.places)
        return false;
    for (size_t i = 0; map->places && i < map->capacity; i++)
        if (map->places[i] != NODE_NONE)
            larger.places[find_place(&larger, ids, ids[map->places[i]])] = map->places[i];
    free(map->places);
    *map = larger;
    return true;
}

enum status graph_ids_put(struct graph_ids *map, const uint64_t *ids, node_t object,
                          struct failure *why)
{
    if (!make_room(map, ids))
        return fail_memory(why);
    size_t place = find_place(map, ids, ids[object]);
    map->used += map->places[place] == NODE_NONE;
    map->places[place] = object;
    return STATUS_OK;
}

void graph_ids_take(struct graph_ids *map, const uint64_t *ids, uint64_t id)
{
    size_t mask = map->capacity - 1;
    size_t hole = map->places ? find_place(map, ids, id) : 0;
    if (!map->places || map->places[hole] == NODE_NONE)
        return;
    map->places[hole] = NODE_NONE;
    map->used--;
    for (size_t place = (hole + 1) & mask; map->places[place] != NODE_NONE;
         place = (place + 1) & mask) {
        size_t home = home_of(map, ids[map->places[place]]);
        if (((place - home) & mask) < ((place - hole) & mask))
            continue;
        map->places[hole] = map->places[place];
        map->places[place] = NODE_NONE;
        hole = place;
    }
}

void graph_ids_free(struct graph_ids *map)
{
    free(map->places);
    *map = (struct graph_ids){.places = NULL};
}
