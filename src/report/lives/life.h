/* SPDX-License-Identifier: MIT */
/* The life of one object. Moments are ticks (merlin/clock.h), and bytes those that the trace
 * has allocated so far. */
#ifndef ETMERLIN_REPORT_LIVES_LIFE_H
#define ETMERLIN_REPORT_LIVES_LIFE_H

#include "merlin/causes.h"

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

#endif
