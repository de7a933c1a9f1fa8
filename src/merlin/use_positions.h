/* SPDX-License-Identifier: MIT */
/* Where the last use of each object is, for oracles that free by it (etmerlin-reports(5)). That
 * is more exact than a tick, within which an object may be used before or after an allocation.
 */
#ifndef ETMERLIN_MERLIN_USE_POSITIONS_H
#define ETMERLIN_MERLIN_USE_POSITIONS_H

#include "base/status.h"
#include "heap/frames.h"

#include <stddef.h>
#include <stdint.h>

/* What the count of a position counts. */
enum use_position_kind {
    USE_POSITION_RECORDS,           /* records of the trace, deaths not counted */
    USE_POSITION_ALLOCATIONS,       /* allocations of the trace */
    USE_POSITION_THREAD_ALLOCATIONS /* allocations of the thread of the record that uses */
};

struct use_position {
    uint64_t count;  /* up to the use, its own record included; or USE_POSITION_END */
    uint32_t thread; /* number of the record's thread; only with
                        USE_POSITION_THREAD_ALLOCATIONS, else 0 */
};

#define USE_POSITION_END UINT64_MAX

struct use_positions;

/* Makes an empty list of positions. The caller owns *out (use_positions_free). */
enum status use_positions_new(struct use_positions **out, enum use_position_kind kind,
                              struct failure *why) MUST_CHECK;

/* Makes room for the nodes below `nodes`. */
enum status use_positions_reserve(struct use_positions *positions, size_t nodes,
                                  struct failure *why) MUST_CHECK;

/* The present record, of `thread`, allocates. To be called before its uses are recorded. */
enum status use_positions_allocate(struct use_positions *positions, uint32_t thread,
                                   struct failure *why) MUST_CHECK;

/* Records that record number `record`, from 1, of `thread` uses `node`, for which there must be
 * room. */
void use_positions_note(struct use_positions *positions, node_t node, uint64_t record,
                        uint32_t thread);

/* To be called at the end of the trace: what frames hold is used up to the end. */
void use_positions_keep_held(struct use_positions *positions, const struct frames *frames);

/* Each of the `nodes` nodes with moved[node] other than 0 becomes node moved[node]; the others
 * are forgotten. These numbers go up as nodes do, from 1 without gaps. */
void use_positions_move(struct use_positions *positions, const node_t *moved, size_t nodes);

/* The position of the last use of `node`, which must have been used. */
struct use_position use_positions_find(const struct use_positions *positions, node_t node);

/* NULL is allowed. */
void use_positions_free(struct use_positions *positions);

#endif
