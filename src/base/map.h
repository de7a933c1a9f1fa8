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

/* A pointer to the value of `key`; NULL: it has none. The pointer is good until the map
 * changes. */
uint64_t *map_find(const struct map *map, uint64_t key);

/* A pointer to the value of `key`, which is added with the value 0 if it has none. NULL: no
 * memory. The pointer is good until the map changes. */
uint64_t *map_insert(struct map *map, uint64_t key) MUST_CHECK;

/* Removes `key` and its value, if it has one. */
void map_remove(struct map *map, uint64_t key);

/* Walk the map in ascending order of keys: each returns a pointer to the value of the first key
 * that is at least *key (map_first) or greater than *key (map_next), and sets *key to that key.
 * NULL: there is none. */
uint64_t *map_first(const struct map *map, uint64_t *key);
uint64_t *map_next(const struct map *map, uint64_t *key);

/* Releases what the map owns; it is empty then. */
void map_free(struct map *map);

#endif
