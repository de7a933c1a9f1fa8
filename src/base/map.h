/* SPDX-License-Identifier: MIT */
/* A map from 64-bit keys to 64-bit values: a Judy array (JudyL). */
#ifndef ETMERLIN_BASE_MAP_H
#define ETMERLIN_BASE_MAP_H

#include "base/status.h"

#include <stdint.h>

/* Zero-initialize it; map_free ends it. */
struct map {
    void *root;
};

/* The value of `key`, or NULL when it has none. The pointer is good until the map changes. */
uint64_t *map_find(const struct map *map, uint64_t key);

/* The value of `key`, which becomes 0 when it had none; NULL: no memory. The
 * pointer is good until the map changes. */
uint64_t *map_insert(struct map *map, uint64_t key) MUST_CHECK;

/* Walks the map in ascending order of keys: the first value with a key of at
 * least *key (map_first) or greater than it (map_next); *key becomes its key. NULL: none. */
uint64_t *map_first(const struct map *map, uint64_t *key);
uint64_t *map_next(const struct map *map, uint64_t *key);

/* Releases what the map owns; it is empty then. */
void map_free(struct map *map);

#endif
