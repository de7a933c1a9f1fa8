/* SPDX-License-Identifier: MIT */
/* A set of 64-bit keys. A key below 2^32, such as an identity hash, takes two or three bytes if
 * there are a million of them or more, however they are spread; any other takes a bit where
 * keys are dense, and about 17 bytes where they are not. */
#ifndef ETMERLIN_BASE_SET_H
#define ETMERLIN_BASE_SET_H

#include "base/memory.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Zero-initialize it; set_free ends it. */
struct set {
    struct set_chunk **chunks; /* by the upper half of a key below 2^32 */
    void *root;                /* of the other keys */
};

/* Loads the pointer that set_prefetch follows for `key` into the processor's cache. */
PREFETCHING void set_prefetch_chunk(const struct set *set, uint64_t key)
{
    if (set->chunks && key <= UINT32_MAX)
        __builtin_prefetch(&set->chunks[key >> 16]);
}

/* Loads the chunk in which set_add and set_remove look for `key` into the processor's cache. */
PREFETCHING void set_prefetch(const struct set *set, uint64_t key)
{
    if (set->chunks && key <= UINT32_MAX)
        __builtin_prefetch(set->chunks[key >> 16], 1);
}

/* Adds `key`. Sets *added to whether it is new. */
enum status set_add(struct set *set, uint64_t key, bool *added, struct failure *why) MUST_CHECK;

/* Removes `key`. Sets *removed to whether it was in the set. */
enum status set_remove(struct set *set, uint64_t key, bool *removed,
                       struct failure *why) MUST_CHECK;

/* Releases what the set owns; it is empty then. */
void set_free(struct set *set);

#endif
