/* SPDX-License-Identifier: MIT */
/* When objects are used in their lives (Röjemo and Runciman, ICFP 1996), in bytes of
 * allocation. */
#ifndef ETMERLIN_REPORT_LIVES_USES_H
#define ETMERLIN_REPORT_LIVES_USES_H

#include "report/lives/lives.h"

/* Whether the trace tells uses of objects other than their allocations; formats that hold
 * lifetimes alone do not, and then nothing can be said of drag. */
bool uses_are_told(const struct history *history);

/* Whether it can be said how long the object lived after its last use. */
static inline bool uses_have_drag(const struct life *life)
{
    return life->has_died && !life_dies_before_use(life);
}

/* The clock of bytes at the end of the tick of the last use, but not after the death. */
uint64_t uses_last_bytes(const struct lives *lives, const struct life *life);

/* The bytes that were allocated from the last use of an object, which has drag, to its death.
 */
static inline uint64_t uses_drag_bytes(const struct lives *lives, const struct life *life)
{
    return life->died_bytes - uses_last_bytes(lives, life);
}

/* A life in phases, in bytes. They add up to all of it; of what is alive at the end, to the
 * bytes that were allocated after it. */
struct use_phases {
    uint64_t lag;   /* from the allocation to the first use */
    uint64_t use;   /* from there to the last use */
    uint64_t drag;  /* from there to the death, or to the end */
    uint64_t voids; /* of what is never used: all; the others are 0 then */
};

/* The phases of a life with `uses` uses, whose clocks of bytes were these when it was born,
 * used first, used last and ended. */
struct use_phases uses_phases_of(unsigned uses, uint64_t born, uint64_t first, uint64_t last,
                                 uint64_t end);

/* The phases of a life; the history has first uses (history_keep_first_uses). */
struct use_phases uses_phases(const struct lives *lives, const struct life *life);

#endif
