/* SPDX-License-Identifier: MIT */
/* A hash table with linear probing, at most three quarters full. An id that leaves makes room
 * for those after it that could not stand nearer to their home, so that no place has to be
 * marked as left, and the table stays as fast as it was however many come and go. Judy's array
 * (base/map.h) took four times as long, most of it for the memory that it gives back. */
#include "base/id_map.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { ID_MAP_BITS_MIN = 10 };

/* The place of `id`, or the empty one where it will stand. */
static size_t find_id(const struct id_map *map, uint64_t id)
{
    size_t place = id_map_home(map, id);
    while (map->places[place].id != id && map->places[place].id != 0)
        place = (place + 1) & (map->capacity - 1);
    return place;
}

/* Puts the ids of `map` into `larger`, which has room for them and no ids yet. */
static void move_ids(const struct id_map *map, struct id_map *larger)
{
    for (size_t place = 0; place < map->capacity; place++)
        if (map->places[place].id != 0)
            larger->places[find_id(larger, map->places[place].id)] = map->places[place];
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
    if (map->places) {
        larger.capacity = 2 * map->capacity;
        larger.shift = map->shift - 1;
    }
    larger.places = array_of_pages(larger.capacity, sizeof *larger.places);
    if (!larger.places)
        return false;
    memset(larger.places, 0, larger.capacity * sizeof *larger.places);
    if (map->places)
        move_ids(map, &larger);
    free(map->places);
    *map = larger;
    return true;
}

uint64_t *id_map_insert(struct id_map *map, uint64_t id)
{
    if (!id_map_make_room(map))
        return NULL;
    struct id_number *found = &map->places[find_id(map, id)];
    map->used += found->id == 0;
    found->id = id;
    return &found->number;
}

uint64_t id_map_find(const struct id_map *map, uint64_t id)
{
    return map->places ? map->places[find_id(map, id)].number : 0;
}

/* Moves the ids after the empty place `hole` that look-ups would not find any more. */
static void close_hole(struct id_map *map, size_t hole)
{
    size_t mask = map->capacity - 1;
    for (size_t place = (hole + 1) & mask; map->places[place].id != 0;
         place = (place + 1) & mask) {
        size_t home = id_map_home(map, map->places[place].id);
        if (((place - home) & mask) < ((place - hole) & mask))
            continue;
        map->places[hole] = map->places[place];
        map->places[place] = (struct id_number){.id = 0};
        hole = place;
    }
}

uint64_t id_map_take(struct id_map *map, uint64_t id)
{
    if (!map->places)
        return 0;
    size_t place = find_id(map, id);
    uint64_t number = map->places[place].number;
    if (number == 0)
        return 0;
    map->places[place] = (struct id_number){.id = 0};
    map->used--;
    close_hole(map, place);
    return number;
}

void id_map_free(struct id_map *map)
{
    free(map->places);
    *map = (struct id_map){.places = NULL};
}
