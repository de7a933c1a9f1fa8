/* SPDX-License-Identifier: MIT */
/* Keys below 2^32 are grouped by their upper halves: the lower halves of a group are a sorted
 * array while they are few, and bits when that takes no more room (as in Roaring bitmaps).
 * Judy's arrays of bits, which hold the other keys, were tried for all: 10 million random keys
 * of 31 bits took 13 bytes each, because the last levels have just too many keys for Judy's
 * small forms and too few for its bitmaps. */
#include "base/set.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Its functions are called directly: the macros for them print a message and exit when memory
 * runs out. */
#define JUDYERROR_NOTEST 1
#include <Judy.h>

_Static_assert(sizeof(Word_t) == sizeof(uint64_t), "Judy's words must hold 64-bit ids");

enum {
    CHUNKS = 1 << 16,
    CHUNK_KEYS = 1 << 16,
    SORTED_MAX = CHUNK_KEYS / 16, /* keys for which the array takes as much room as the bits */
    CAPACITY_STEP = 8,
};

/* `keys` are sorted, or, when `is_bits`, bits: 16 in each. */
struct set_chunk {
    uint16_t count; /* of sorted keys */
    uint16_t capacity;
    bool is_bits;
    uint16_t keys[];
};

static struct set_chunk *chunk_resize(struct set_chunk *chunk, size_t keys)
{
    return realloc(chunk, sizeof *chunk + keys * sizeof *chunk->keys);
}

/* The position of the first sorted key that is not below `key`. */
static size_t find_position(const struct set_chunk *chunk, uint16_t key)
{
    size_t low = 0, high = chunk->count;
    BISECT(low, high, at, chunk->keys[at] < key);
    return low;
}

static bool flip_bit(struct set_chunk *chunk, uint16_t key, bool on)
{
    uint16_t *bits = &chunk->keys[key / 16], bit = (uint16_t)(1u << key % 16);
    bool was_on = (*bits & bit) != 0;
    if (was_on != on)
        *bits ^= bit;
    return was_on != on;
}

/* Converts the sorted keys to bits, in a new chunk. NULL: no memory, and `chunk` is unchanged.
 */
static struct set_chunk *make_bits(struct set_chunk *chunk)
{
    struct set_chunk *bits = calloc(1, sizeof *bits + SORTED_MAX * sizeof *bits->keys);
    if (!bits)
        return NULL;
    bits->is_bits = true;
    for (size_t i = 0; i < chunk->count; i++)
        flip_bit(bits, chunk->keys[i], true);
    free(chunk);
    return bits;
}

/* Makes room for one more key. Returns the chunk, which may have moved; NULL: no memory. */
static struct set_chunk *chunk_make_room(struct set_chunk *chunk)
{
    if (chunk && (chunk->is_bits || chunk->count < chunk->capacity))
        return chunk;
    if (chunk && chunk->count == SORTED_MAX)
        return make_bits(chunk);
    size_t count = chunk ? chunk->count : 0;
    size_t capacity = (count + count / 4 + CAPACITY_STEP) / CAPACITY_STEP * CAPACITY_STEP;
    if (capacity > SORTED_MAX)
        capacity = SORTED_MAX;
    struct set_chunk *larger = chunk_resize(chunk, capacity);
    if (!larger)
        return NULL;
    larger->count = (uint16_t)count;
    larger->capacity = (uint16_t)capacity;
    larger->is_bits = false;
    return larger;
}

/* Whether `key` is among the sorted keys. Sets *position to where it is or would be. */
static bool is_sorted_in(const struct set_chunk *chunk, uint16_t key, size_t *position)
{
    *position = find_position(chunk, key);
    return *position < chunk->count && chunk->keys[*position] == key;
}

static enum status chunk_add(struct set_chunk **chunk, uint16_t key, bool *added,
                             struct failure *why)
{
    size_t position = 0;
    *added = false;
    if (*chunk && !(*chunk)->is_bits && is_sorted_in(*chunk, key, &position))
        return STATUS_OK;
    struct set_chunk *roomy = chunk_make_room(*chunk);
    if (!roomy)
        return fail_memory(why);
    *chunk = roomy;
    *added = true;
    if (roomy->is_bits) {
        *added = flip_bit(roomy, key, true);
        return STATUS_OK;
    }
    uint16_t *at = roomy->keys + position;
    memmove(at + 1, at, (roomy->count - position) * sizeof *at);
    *at = key;
    roomy->count++;
    return STATUS_OK;
}

static bool chunk_remove(struct set_chunk *chunk, uint16_t key)
{
    size_t position;
    if (!chunk)
        return false;
    if (chunk->is_bits)
        return flip_bit(chunk, key, false);
    if (!is_sorted_in(chunk, key, &position))
        return false;
    uint16_t *at = chunk->keys + position;
    chunk->count--;
    memmove(at, at + 1, (chunk->count - position) * sizeof *at);
    return true;
}

enum status set_add(struct set *set, uint64_t key, bool *added, struct failure *why)
{
    if (key > UINT32_MAX) {
        int result = Judy1Set(&set->root, key, PJE0);
        *added = result == 1;
        return result == JERR ? fail_memory(why) : STATUS_OK;
    }
    if (!set->chunks)
        set->chunks = array_new(CHUNKS, sizeof(struct set_chunk *));
    if (!set->chunks)
        return fail_memory(why);
    return chunk_add(&set->chunks[key >> 16], (uint16_t)key, added, why);
}

enum status set_remove(struct set *set, uint64_t key, bool *removed, struct failure *why)
{
    *removed = false;
    if (key > UINT32_MAX) {
        int result = Judy1Unset(&set->root, key, PJE0);
        *removed = result == 1;
        return result == JERR ? fail_memory(why) : STATUS_OK;
    }
    if (set->chunks)
        *removed = chunk_remove(set->chunks[key >> 16], (uint16_t)key);
    return STATUS_OK;
}

void set_free(struct set *set)
{
    for (size_t i = 0; set->chunks && i < CHUNKS; i++)
        free(set->chunks[i]);
    free(set->chunks);
    set->chunks = NULL;
    Judy1FreeArray(&set->root, PJE0);
}
