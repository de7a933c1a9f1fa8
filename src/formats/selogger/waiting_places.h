/* SPDX-License-Identifier: MIT */
/* Where, in the list of objects that a thread is making, the youngest one of an instruction is.
 */
#ifndef ETMERLIN_FORMATS_SELOGGER_WAITING_PLACES_H
#define ETMERLIN_FORMATS_SELOGGER_WAITING_PLACES_H

#include "base/map.h"
#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* What a NEW_OBJECT is looked for by, always together with its method. */
enum waiting_part { BY_DATA_ID, BY_INDEX, BY_METHOD, WAITING_PARTS };

/* The keys of a NEW_OBJECT: the method in the upper half, and what it is looked for by in the
 * lower one (BY_METHOD: 0). */
struct waiting_keys {
    uint64_t of[WAITING_PARTS];
};

/* Zero-initialize it; waiting_places_free ends it. Places count from 1; they are entered in the
 * order of the list, all up to `count`. */
struct waiting_places {
    struct map youngest[WAITING_PARTS]; /* key -> place; 0: none */
    struct waiting_place *items;
    size_t count;
    size_t capacity;
};

/* Enters the next place. After a failure the places are only to be released. */
enum status waiting_places_add(struct waiting_places *places, const struct waiting_keys *keys,
                               struct failure *why) MUST_CHECK;

/* The place entered last under this key; 0: none. */
size_t waiting_places_find(const struct waiting_places *places, enum waiting_part part,
                           uint64_t key);

/* Removes all places after the first `count`, if there are more. */
void waiting_places_cut(struct waiting_places *places, size_t count);

/* Releases what it owns. */
void waiting_places_free(struct waiting_places *places);

#endif
