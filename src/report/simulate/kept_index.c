/* SPDX-License-Identifier: MIT */
/* A hash table with linear probing, at most three quarters full, of 4 bytes a place. A key that
 * leaves makes room for those after it that could not stand nearer to their home
 * (base/id_map.c). */
#include "report/simulate/kept_index.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>

enum { INDEX_BITS_MIN = 10 };

static size_t home_of(const struct kept_index *index, uint64_t key)
{
    return (size_t)(hash_id(index->seed, key) >> index->shift);
}

/* The place of a key, or the empty one where it will stand. */
static size_t find_place(const struct kept_index *index, uint64_t key)
{
    size_t place = home_of(index, key);
    while (index->places[place] != NODE_NONE &&
           index->key_of(index->objects, index->places[place]) != key)
        place = (place + 1) & (index->capacity - 1);
    return place;
}

node_t kept_index_find(const struct kept_index *index, uint64_t key)
{
    return index->places ? index->places[find_place(index, key)] : NODE_NONE;
}

/* Makes room for one more key. */
static bool make_room(struct kept_index *index)
{
    if (index->used < index->capacity / 4 * 3)
        return true;
    node_t *before = index->places;
    size_t places = before ? index->capacity : 0;
    size_t capacity = before ? 2 * places : (size_t)1 << INDEX_BITS_MIN;
    node_t *larger = array_new(capacity, sizeof *larger);
    if (!larger)
        return false;
    index->places = larger;
    index->capacity = capacity;
    index->shift = before ? index->shift - 1 : 64 - INDEX_BITS_MIN;
    index->seed = hash_seed();
    for (size_t i = 0; i < places; i++)
        if (before[i] != NODE_NONE)
            larger[find_place(index, index->key_of(index->objects, before[i]))] = before[i];
    free(before);
    return true;
}

enum status kept_index_put(struct kept_index *index, uint64_t key, node_t node, node_t *before,
                           struct failure *why)
{
    if (!make_room(index))
        return fail_memory(why);
    node_t *place = &index->places[find_place(index, key)];
    *before = *place;
    index->used += *place == NODE_NONE;
    *place = node;
    return STATUS_OK;
}

/* Moves the keys after the empty place `hole` that would not be found any more. */
static void close_hole(struct kept_index *index, size_t hole)
{
    size_t mask = index->capacity - 1;
    for (size_t place = (hole + 1) & mask; index->places[place] != NODE_NONE;
         place = (place + 1) & mask) {
        size_t home = home_of(index, index->key_of(index->objects, index->places[place]));
        if (((place - home) & mask) < ((place - hole) & mask))
            continue;
        index->places[hole] = index->places[place];
        index->places[place] = NODE_NONE;
        hole = place;
    }
}

node_t kept_index_take(struct kept_index *index, uint64_t key)
{
    if (!index->places)
        return NODE_NONE;
    size_t place = find_place(index, key);
    node_t node = index->places[place];
    if (node == NODE_NONE)
        return NODE_NONE;
    index->places[place] = NODE_NONE;
    index->used--;
    close_hole(index, place);
    return node;
}

void kept_index_renumber(struct kept_index *index, const node_t *moved)
{
    for (size_t i = 0; i < index->capacity; i++)
        index->places[i] = moved[index->places[i]]; /* moved[NODE_NONE] is NODE_NONE */
}

void kept_index_free(struct kept_index *index)
{
    free(index->places);
    *index = (struct kept_index){.key_of = index->key_of, .objects = index->objects};
}
