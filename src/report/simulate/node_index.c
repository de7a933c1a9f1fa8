/* SPDX-License-Identifier: MIT */
/* A hash table with linear probing, at most three quarters full, of 4 bytes a slot. When a key
 * is taken out, keys after it move up, so that no search stops at the hole (as in
 * base/id_map.c). */
#include "report/simulate/node_index.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>

enum { INDEX_BITS_MIN = 10 };

static size_t home_of(const struct node_index *index, uint64_t key)
{
    return (size_t)(hash_id(index->seed, key) >> index->shift);
}

/* The slot of a key, or the empty slot where it would go. */
static size_t find_slot(const struct node_index *index, uint64_t key)
{
    size_t slot = home_of(index, key);
    while (index->slots[slot] != NODE_NONE &&
           index->key_of(index->objects, index->slots[slot]) != key)
        slot = (slot + 1) & (index->capacity - 1);
    return slot;
}

node_t node_index_find(const struct node_index *index, uint64_t key)
{
    return index->slots ? index->slots[find_slot(index, key)] : NODE_NONE;
}

/* Makes room for one more key. */
static bool make_room(struct node_index *index)
{
    if (index->used < index->capacity / 4 * 3)
        return true;
    node_t *before = index->slots;
    size_t slots = before ? index->capacity : 0;
    size_t capacity = before ? 2 * slots : (size_t)1 << INDEX_BITS_MIN;
    node_t *larger = array_new(capacity, sizeof *larger);
    if (!larger)
        return false;
    index->slots = larger;
    index->capacity = capacity;
    index->shift = before ? index->shift - 1 : 64 - INDEX_BITS_MIN;
    index->seed = hash_seed();
    for (size_t i = 0; i < slots; i++)
        if (before[i] != NODE_NONE)
            larger[find_slot(index, index->key_of(index->objects, before[i]))] = before[i];
    free(before);
    return true;
}

enum status node_index_put(struct node_index *index, uint64_t key, node_t node, node_t *before,
                           struct failure *why)
{
    if (!make_room(index))
        return fail_memory(why);
    node_t *slot = &index->slots[find_slot(index, key)];
    *before = *slot;
    index->used += *slot == NODE_NONE;
    *slot = node;
    return STATUS_OK;
}

/* Moves up the keys after the empty slot `hole` that could not be found any more. */
static void close_hole(struct node_index *index, size_t hole)
{
    size_t mask = index->capacity - 1;
    for (size_t slot = (hole + 1) & mask; index->slots[slot] != NODE_NONE;
         slot = (slot + 1) & mask) {
        size_t home = home_of(index, index->key_of(index->objects, index->slots[slot]));
        if (((slot - home) & mask) < ((slot - hole) & mask))
            continue;
        index->slots[hole] = index->slots[slot];
        index->slots[slot] = NODE_NONE;
        hole = slot;
    }
}

node_t node_index_take(struct node_index *index, uint64_t key)
{
    if (!index->slots)
        return NODE_NONE;
    size_t slot = find_slot(index, key);
    node_t node = index->slots[slot];
    if (node == NODE_NONE)
        return NODE_NONE;
    index->slots[slot] = NODE_NONE;
    index->used--;
    close_hole(index, slot);
    return node;
}

void node_index_renumber(struct node_index *index, const node_t *moved)
{
    for (size_t i = 0; i < index->capacity; i++)
        index->slots[i] = moved[index->slots[i]]; /* moved[NODE_NONE] is NODE_NONE */
}

void node_index_free(struct node_index *index)
{
    free(index->slots);
    *index = (struct node_index){.key_of = index->key_of, .objects = index->objects};
}
