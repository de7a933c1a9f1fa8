/* SPDX-License-Identifier: MIT */
/* Where the last use of each object is, for oracles that free by it (etmerlin-reports(5)):
 * closer than a tick, within which an object may be used before or after an allocation. */
#ifndef ETMERLIN_MERLIN_USE_POSITIONS_H
#define ETMERLIN_MERLIN_USE_POSITIONS_H

#include "base/status.h"
#include "heap/frames.h"

#include <stddef.h>
#include <stdint.h>

/* What a position is counted in. */
enum use_position_kind {
    USE_POSITION_RECORDS,           /* of the trace, deaths not counted */
    USE_POSITION_ALLOCATIONS,       /* of the trace */
    USE_POSITION_THREAD_ALLOCATIONS /* of the thread of the record that uses */
};

struct use_position {
    uint64_t count;  /* up to the use, its own record included; USE_POSITION_END: to the end */
    uint32_t thread; /* of the record, by number; with USE_POSITION_THREAD_ALLOCATIONS */
};

#define USE_POSITION_END UINT64_MAX

struct use_positions;

/* The caller owns *out (use_positions_free). */
enum status use_positions_new(struct use_positions **out, enum use_position_kind kind,
                              struct failure *why) MUST_CHECK;

/* Makes room for nodes below `nodes`. */
enum status use_positions_reserve(struct use_positions *positions, size_t nodes,
                                  struct failure *why) MUST_CHECK;

/* The present record, of `thread`, allocates; to be called before what it uses is noted. */
enum status use_positions_allocate(struct use_positions *positions, uint32_t thread,
                                   struct failure *why) MUST_CHECK;

/* Record number `record`, from 1, of `thread` uses `node`, for which there is room. */
void use_positions_note(struct use_positions *positions, node_t node, uint64_t record,
                        uint32_t thread);

/* At the end of the trace: what frames hold stays in use to there. */
void use_positions_keep_held(struct use_positions *positions, const struct frames *frames);

/* Each of the `nodes` nodes with a number in `moved`, which go up as nodes do, becomes node
 * moved[node]; the others are forgotten. */
void use_positions_move(struct use_positions *positions, const node_t *moved, size_t nodes);

/* The last use that was noted. */
struct use_position use_positions_find(const struct use_positions *positions, node_t node);

/* NULL is allowed. */
void use_positions_free(struct use_positions *positions);

#endif
