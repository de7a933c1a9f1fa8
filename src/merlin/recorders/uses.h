/* SPDX-License-Identifier: MIT */
/* What is recorded of the uses of each object in addition to the tick of the last one: how many
 * there were, and of which way the last one was (etmerlin-deaths(7), "What a death time is");
 * on demand, where the first and the last are. */
#ifndef ETMERLIN_MERLIN_RECORDERS_USES_H
#define ETMERLIN_MERLIN_RECORDERS_USES_H

#include "heap/frames.h"
#include "merlin/death_pairing.h"
#include "merlin/events.h"

/* The most uses of an object that are counted; more count as this many. */
enum { USES_MAX = 63 };

/* What the positions of last uses count, for oracles that free by them
 * (etmerlin-reports(5)). That is more exact than a tick, within which an object may be used
 * before or after an allocation. */
enum use_position_kind {
    USE_POSITION_NONE,              /* positions are not recorded */
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

/* What is recorded in addition to how many uses there were. */
struct uses_options {
    bool proofs;
    bool first_uses;  /* the tick of the second use: the first one is the allocation, unless the
                         object is named before it */
    bool lost_fields; /* the field by whose overwriting the object last lost a reference */
    enum use_position_kind positions;
};

struct uses;

/* The caller owns *out (uses_free). */
enum status uses_new(struct uses **out, const struct uses_options *options,
                     struct failure *why) MUST_CHECK;

/* Records what has happened. */
enum status uses_see(struct uses *uses, const struct seen_batch *seen,
                     struct failure *why) MUST_CHECK;

/* How `node` was used last, and how many uses there were; a popped frame is no record that
 * uses, and is not counted. */
enum use uses_last(const struct uses *uses, node_t node);
unsigned uses_count(const struct uses *uses, node_t node);

/* By node; NULL unless they are recorded. Of first uses only those of nodes with two uses have
 * a meaning, of lost fields those of nodes that have lost a reference. */
const struct proof *uses_proofs(const struct uses *uses);
const uint64_t *uses_first(const struct uses *uses);
const uint64_t *uses_lost_fields(const struct uses *uses);

/* Whether positions are recorded, and that of the last use of `node`. */
bool uses_have_positions(const struct uses *uses);
struct use_position uses_position(const struct uses *uses, node_t node);

/* To be called at the end of the trace: what frames hold is used up to the end. */
void uses_keep_held(struct uses *uses, const struct frames *frames);

/* Each of the `nodes` nodes with moved[node] other than 0 becomes node moved[node]; the others
 * are forgotten. These numbers go up as nodes do, from 1 without gaps. */
void uses_move(struct uses *uses, const node_t *moved, size_t nodes);

/* NULL is allowed. */
void uses_free(struct uses *uses);

#endif
