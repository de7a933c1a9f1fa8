/* SPDX-License-Identifier: MIT */
/* When objects are used in their lives (Röjemo and Runciman, ICFP 1996), in bytes of
 * allocation. */
#ifndef ETMERLIN_REPORT_LIVES_USES_H
#define ETMERLIN_REPORT_LIVES_USES_H

#include "merlin/last_use.h"

/* Whether the trace records uses of objects other than their allocations; formats that hold
 * lifetimes alone do not, and then nothing can be said of drag. */
bool uses_are_recorded(const struct history *history);

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

#endif
