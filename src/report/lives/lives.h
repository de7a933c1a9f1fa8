/* SPDX-License-Identifier: MIT */
/* The life of each allocated object. All reports on lives are written from it,
 * whether deaths were computed or are those that the input has.
 *
 * Objects go by the number of their allocation, from 0 on in the order of the trace, which is
 * the order in which allocation records come by when the trace is read again. Moments are ticks
 * (merlin/clock.h); lives_time makes times of them. */
#ifndef ETMERLIN_REPORT_LIVES_LIVES_H
#define ETMERLIN_REPORT_LIVES_LIVES_H

#include "merlin/causes.h"
#include "merlin/merge.h"

struct lives;

/* Opens the lives of computed deaths. Their history has life records (history_keep_lives).
 * `deaths` must outlive *out, which the caller owns (lives_close). With AT_END_DIE what is
 * alive at the end dies there. */
enum status lives_open(struct lives **out, const struct deaths *deaths, enum at_end at_end,
                       struct failure *why) MUST_CHECK;

/* Opens the lives of the deaths that are recorded in the input: `history` has life records of
 * these, too, and must outlive *out. A death that is recorded before its object was born is
 * moved to its birth. Causes are unknown, and there are no groups. */
enum status lives_open_recorded(struct lives **out, struct history *history,
                                struct failure *why) MUST_CHECK;

/* One life. */
struct life {
    uint64_t object;           /* its id, as reports and traces write it (lives_set_ids) */
    uint64_t size;             /* bytes */
    uint64_t born;             /* tick */
    uint64_t born_bytes;       /* allocated so far when it was born, its own included */
    uint64_t last_use;         /* tick of its own last use */
    bool has_died;             /* if not, it is alive at the end */
    uint64_t died;             /* tick of the boundary that it died at; if it died */
    uint64_t died_bytes;       /* allocated before that boundary; if it died */
    uint64_t died_allocations; /* made before that boundary; if it died */
    enum cause cause; /* of what is alive at the end also with AT_END_DIE: why it was */
    unsigned uses;    /* how often records use it, its allocation included; see USES_MAX */
    node_t node;
    node_t key; /* of its group; NODE_NONE: it has none */
};

/* How many allocations there are. */
size_t lives_count(const struct lives *lives);

/* The life of allocation number `allocation`. Takes time logarithmic in their number. */
struct life lives_life(const struct lives *lives, size_t allocation);

/* Whether it lives to the end of the trace, and dies there at most because all does. */
static inline bool life_survives(const struct life *life)
{
    return !life->has_died ||
           (life->cause >= CAUSE_ALIVE_STATIC && life->cause < CAUSE_UNKNOWN);
}

/* How long it lived; of a life that ended: from its allocation to the boundary at which it
 * died. */
static inline uint64_t life_ticks(const struct life *life)
{
    return life->died - life->born;
}

/* The bytes that were allocated after it while it lived. */
static inline uint64_t life_bytes(const struct life *life)
{
    return life->died_bytes - life->born_bytes;
}

/* Whether its death is recorded before its last use. That may be the end of a frame which held
 * it: the deaths then go by another rule of what frames hold. */
static inline bool life_dies_before_use(const struct life *life)
{
    return life->has_died && life->died < life->last_use;
}

/* The ticks from its last use to its death, which is not before it: 1 if it died at the next
 * boundary. */
static inline uint64_t life_drag(const struct life *life)
{
    return life->died - life->last_use;
}

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
