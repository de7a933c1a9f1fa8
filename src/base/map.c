/* SPDX-License-Identifier: MIT */
/* The only file but set.c that uses Judy. Its functions are called directly: the macros for
 * them print a message and exit when memory runs out. */
#include "base/map.h"

#define JUDYERROR_NOTEST 1
#include <Judy.h>

_Static_assert(sizeof(Word_t) == sizeof(uint64_t), "Judy's words must hold 64-bit ids");

uint64_t *map_find(const struct map *map, uint64_t key)
{
    return (uint64_t *)JudyLGet(map->root, key, PJE0);
}

uint64_t *map_insert(struct map *map, uint64_t key)
{
    void **value = JudyLIns(&map->root, key, PJE0);
    return value == PPJERR ? NULL : (uint64_t *)value;
}

void map_remove(struct map *map, uint64_t key)
{
    JudyLDel(&map->root, key, PJE0);
}

uint64_t *map_first(const struct map *map, uint64_t *key)
{
    return (uint64_t *)JudyLFirst(map->root, key, PJE0);
}

uint64_t *map_next(const struct map *map, uint64_t *key)
{
    return (uint64_t *)JudyLNext(map->root, key, PJE0);
}

void map_free(struct map *map)
{
    JudyLFreeArray(&map->root, PJE0);
}
