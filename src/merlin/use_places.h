/* SPDX-License-Identifier: MIT */
/* Where the last use of each object is, for oracles that free by it (etmerlin-reports(5)):
 * closer than a tick, within which an object may be used before or after an allocation. */
#ifndef ETMERLIN_MERLIN_USE_PLACES_H
#define ETMERLIN_MERLIN_USE_PLACES_H

#include "base/status.h"
#include "heap/frames.h"

#include <stddef.h>
#include <stdint.h>

/* What a place is counted in. */
enum use_place_kind {
    USE_PLACE_RECORDS,           /* of the trace, deaths not counted */
    USE_PLACE_ALLOCATIONS,       /* of the trace */
    USE_PLACE_THREAD_ALLOCATIONS /* of the thread of the record that uses */
};

struct use_place {
    uint64_t count;  /* up to the use, its own record included; USE_PLACE_END: to the end */
    uint32_t thread; /* of the record, by number; with USE_PLACE_THREAD_ALLOCATIONS */
};

#define USE_PLACE_END UINT64_MAX

struct use_places;

/* The caller owns *out (use_places_free). */
enum status use_places_new(struct use_places **out, enum use_place_kind kind,
                           struct failure *why) MUST_CHECK;

/* Makes room for nodes below `nodes`. */
enum status use_places_reserve(struct use_places *places, size_t nodes,
                               struct failure *why) MUST_CHECK;

/* The present record, of `thread`, allocates; to be called before what it uses is noted. */
enum status use_places_allocate(struct use_places *places, uint32_t thread,
                                struct failure *why) MUST_CHECK;

/* Record number `record`, from 1, of `thread` uses `node`, for which there is room. */
void use_places_note(struct use_places *places, node_t node, uint64_t record, uint32_t thread);

/* At the end of the trace: what frames hold stays in use to there. */
void use_places_keep_held(struct use_places *places, const struct frames *frames);

/* Each of the `nodes` nodes with a number in `moved`, which go up as nodes do, becomes node
 * moved[node]; the others are forgotten. */
void use_places_move(struct use_places *places, const node_t *moved, size_t nodes);

/* The last use that was noted. */
struct use_place use_places_find(const struct use_places *places, node_t node);

/* NULL is allowed. */
void use_places_free(struct use_places *places);

#endif
