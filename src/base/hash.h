/* SPDX-License-Identifier: MIT */
/* Hashes of ids and text that come from an input. */
#ifndef ETMERLIN_BASE_HASH_H
#define ETMERLIN_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Random bits that stay the same while the process runs. Without them, an input could have many
 * names with the same hash, and each look-up would take time in proportion to their number. */
uint64_t hash_seed(void);

/* The hash of the `length` bytes at `text`. With hash_seed() as `seed` it differs from one run
 * of the program to the next: no output may depend on it, or on an order that follows from it.
 */
uint64_t hash_text(uint64_t seed, const void *text, size_t length);

/* A hash of `id` that depends on all of its bits; `seed` as for hash_text. */
static inline uint64_t hash_id(uint64_t seed, uint64_t id)
{
    uint64_t hash = (id ^ seed) * UINT64_C(0x9E3779B97F4A7C15);
    return (hash ^ hash >> 32) * UINT64_C(0xD6E8FEB86659FD93);
}

/* The slot of `id` among 2^`bits` slots: the top bits of a multiplication by 2^64 divided by
 * the golden ratio, which spreads ids that follow each other. */
static inline size_t hash_slot(uint64_t id, unsigned bits)
{
    return (id * UINT64_C(0x9E3779B97F4A7C15)) >> (64 - bits);
}

#endif
