/* SPDX-License-Identifier: MIT */
/* A map for each way to look for an object. Each place knows the one that its key had before,
 * so that removing it restores that: the maps follow the list at a constant cost for each
 * place. */
#include "formats/selogger/waiting_places.h"

#include "base/memory.h"

#include <stdlib.h>

struct waiting_place {
    struct waiting_keys keys;
    size_t older[WAITING_PARTS]; /* the next older place of the same key; 0: none */
};

enum status waiting_places_add(struct waiting_places *places, const struct waiting_keys *keys,
                               struct failure *why)
{
    if (!ARRAY_RESERVE(places->items, places->capacity, places->count + 1))
        return fail_memory(why);
    struct waiting_place *place = &places->items[places->count];
    place->keys = *keys;
    for (unsigned part = 0; part < WAITING_PARTS; part++) {
        uint64_t *youngest = map_insert(&places->youngest[part], keys->of[part]);
        if (!youngest)
            return fail_memory(why);
        place->older[part] = (size_t)*youngest;
        *youngest = places->count + 1;
    }
    places->count++;
    return STATUS_OK;
}

size_t waiting_places_find(const struct waiting_places *places, enum waiting_part part,
                           uint64_t key)
{
    const uint64_t *youngest = map_find(&places->youngest[part], key);
    return youngest ? (size_t)*youngest : 0;
}

void waiting_places_cut(struct waiting_places *places, size_t count)
{
    while (places->count > count) {
        const struct waiting_place *place = &places->items[--places->count];
        for (unsigned part = 0; part < WAITING_PARTS; part++)
            *map_find(&places->youngest[part], place->keys.of[part]) = place->older[part];
    }
}

void waiting_places_free(struct waiting_places *places)
{
    for (unsigned part = 0; part < WAITING_PARTS; part++)
        map_free(&places->youngest[part]);
    free(places->items);
}
