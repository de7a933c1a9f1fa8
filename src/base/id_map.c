/* SPDX-License-Identifier: MIT */
/* A hash table with linear probing, at most three quarters full. When an id is removed, ids
 * after it that could not be stored nearer to their home slot move up. So no slot has to be
 * marked as deleted, and the table stays fast, however many ids are added and removed. A Judy
 * array (base/map.h) took four times as long, most of it to release memory. */
#include "base/id_map.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { ID_MAP_BITS_MIN = 10 };

/* The slot of `id`, or the empty slot where it would be added. */
static size_t find_id(const struct id_map *map, uint64_t id)
{
    size_t slot = id_map_home(map, id);
    while (map->slots[slot].id != id && map->slots[slot].id != 0)
        slot = (slot + 1) & (map->capacity - 1);
    return slot;
}

/* Copies the ids of `map` to `larger`, which has room for them and no ids yet. */
static void move_ids(const struct id_map *map, struct id_map *larger)
{
    for (size_t slot = 0; slot < map->capacity; slot++)
        if (map->slots[slot].id != 0)
            larger->slots[find_id(larger, map->slots[slot].id)] = map->slots[slot];
}

/* Makes room for one more id. */
static bool id_map_make_room(struct id_map *map)
{
    if (map->used < map->capacity / 4 * 3)
        return true;
    struct id_map larger = {.capacity = (size_t)1 << ID_MAP_BITS_MIN,
                            .used = map->used,
                            .shift = 64 - ID_MAP_BITS_MIN,
                            .seed = hash_seed()};
    if (map->slots) {
        larger.capacity = 2 * map->capacity;
        larger.shift = map->shift - 1;
    }
    larger.slots = array_of_pages(larger.capacity, sizeof *larger.slots);
    if (!larger.slots)
        return false;
    memset(larger.slots, 0, larger.capacity * sizeof *larger.slots);
    if (map->slots)
        move_ids(map, &larger);
    free(map->slots);
    *map = larger;
    return true;
}

uint64_t *id_map_insert(struct id_map *map, uint64_t id)
{
    if (!id_map_make_room(map))
        return NULL;
    struct id_number *found = &map->slots[find_id(map, id)];
    map->used += found->id == 0;
    found->id = id;
    return &found->number;
}

uint64_t id_map_find(const struct id_map *map, uint64_t id)
{
    return map->slots ? map->slots[find_id(map, id)].number : 0;
}

/* Moves the ids after the empty slot `hole` that look-ups would otherwise no longer find. */
static void close_hole(struct id_map *map, size_t hole)
{
    size_t mask = map->capacity - 1;
    for (size_t slot = (hole + 1) & mask; map->slots[slot].id != 0; slot = (slot + 1) & mask) {
        size_t home = id_map_home(map, map->slots[slot].id);
        if (((slot - home) & mask) < ((slot - hole) & mask))
            continue;
        map->slots[hole] = map->slots[slot];
        map->slots[slot] = (struct id_number){.id = 0};
        hole = slot;
    }
}

uint64_t id_map_take(struct id_map *map, uint64_t id)
{
    if (!map->slots)
        return 0;
    size_t slot = find_id(map, id);
    uint64_t number = map->slots[slot].number;
    if (number == 0)
        return 0;
    map->slots[slot] = (struct id_number){.id = 0};
    map->used--;
    close_hole(map, slot);
    return number;
}

void id_map_free(struct id_map *map)
{
    free(map->slots);
    *map = (struct id_map){.slots = NULL};
}
