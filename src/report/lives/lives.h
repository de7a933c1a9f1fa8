/* SPDX-License-Identifier: MIT */
/* The life of each allocated object. All reports on lives are written from it,
 * whether deaths were computed or are those that the input has.
 *
 * Objects go by the number of their allocation, from 0 on in the order of the trace, which is
 * the order in which allocation records come by when the trace is read again. Moments are ticks
 * (merlin/clock.h); lives_time makes times of them. */
#ifndef ETMERLIN_REPORT_LIVES_LIVES_H
#define ETMERLIN_REPORT_LIVES_LIVES_H

#include "merlin/merge.h"
#include "report/lives/life.h"

struct lives;

/* Opens the lives of computed deaths. Their history has life records (history_keep_lives).
 * `deaths` must outlive *out, which the caller owns (lives_close). With AT_END_DIE what is
 * alive at the end dies there. */
enum status lives_open(struct lives **out, const struct deaths *deaths, enum at_end at_end,
                       struct failure *why) MUST_CHECK;

/* Finds the causes of computed deaths, and groups. Until then nothing is known of what has
 * died, and of what is alive only that it is held. The slots of the heap are needed for it. */
enum status lives_find_causes(struct lives *lives, struct failure *why) MUST_CHECK;

/* Opens the lives of the deaths that are recorded in the input: `history` has life records of
 * these, too, and must outlive *out. A death that is recorded before its object was born is
 * moved to its birth. Causes are unknown, and there are no groups. */
enum status lives_open_recorded(struct lives **out, struct history *history,
                                struct failure *why) MUST_CHECK;

/* How many allocations there are. */
size_t lives_count(const struct lives *lives);

/* The life of allocation number `allocation`. Takes time logarithmic in their number. */
struct life lives_life(const struct lives *lives, size_t allocation);

/* How many of them die, how many of these at boundaries and not behind the last record, and the
 * number of the allocation that is the index-th of them, from 0, in the order of their D
 * records. */
size_t lives_death_count(const struct lives *lives);
size_t lives_boundary_death_count(const struct lives *lives);
size_t lives_death(const struct lives *lives, size_t index);

/* The allocation of a node that is allocated, and back. */
size_t lives_allocation(const struct lives *lives, node_t node);
node_t lives_node(const struct lives *lives, size_t allocation);

/* Whether a node, allocated or not, died; and the tick of the boundary at which it did. */
bool lives_died(const struct lives *lives, node_t node, uint64_t *tick);

/* Why it died, or is alive. */
enum cause lives_cause(const struct lives *lives, node_t node);

/* What the lives are made from. */
const struct history *lives_history(const struct lives *lives);

/* The time of a tick, as D records have it; the last tick; and all bytes that are allocated. */
uint64_t lives_time(const struct lives *lives, uint64_t tick);
uint64_t lives_end(const struct lives *lives);
uint64_t lives_bytes(const struct lives *lives);

/* Bytes allocated before the boundary of `tick`. */
uint64_t lives_bytes_before(const struct lives *lives, uint64_t tick);

/* The id of any node, allocated or not, as reports write it; of NODE_NONE 0. */
uint64_t lives_id(const struct lives *lives, node_t node);

/* From now on ids are ids[node]; the array must outlive the lives (renumbering). NULL: those
 * of the trace. */
void lives_set_ids(struct lives *lives, const node_t *ids);

/* The groups of two or more objects, ascending by key node; *count of them. */
const struct group *lives_groups(const struct lives *lives, size_t *count);

/* Whether the group of an object that is its own key, also if it is the only one in it, has a
 * cycle of references. */
bool lives_has_cycle(const struct lives *lives, node_t key);

/* The group of two or more objects that has this key; NULL: there is none. */
const struct group *lives_group(const struct lives *lives, node_t key);

/* NULL is allowed. */
void lives_close(struct lives *lives);

#endif
