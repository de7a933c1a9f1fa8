/* SPDX-License-Identifier: MIT */
/* What reports make of a life: its phases by its uses, and its class by the frames that it
 * outlives. */
#ifndef ETMERLIN_REPORT_LIVES_LIFE_CLASSES_H
#define ETMERLIN_REPORT_LIVES_LIFE_CLASSES_H

#include "merlin/lives/life_facts.h"
#include "merlin/pass.h"

/* Whether the trace records uses of objects other than their allocations; formats that hold
 * lifetimes alone do not, and then nothing can be said of drag. */
bool uses_are_recorded(const struct pass *pass);

/* A life in phases by its uses (Röjemo and Runciman, ICFP 1996), in bytes of allocation. They
 * add up to all of it; of what is alive at the end, to the bytes that were allocated after it.
 */
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

/* Classes by the frames that an object outlives (etmerlin-deaths(7)). */
enum outlived {
    OUTLIVED_0, /* it could be on the stack */
    OUTLIVED_1,
    OUTLIVED_2,
    OUTLIVED_3_TO_5,
    OUTLIVED_6_TO_10,
    OUTLIVED_MORE,
    OUTLIVED_NO_FRAME, /* none was open at its allocation */
    OUTLIVED_ALIVE,    /* it survives */
    OUTLIVED_CLASSES
};

/* Ages at death, in bytes that were allocated after an object. */
enum age_at_death {
    AGE_YOUNG, /* less than YOUNG_BYTES */
    AGE_OLDER,
    AGE_ALIVE, /* it survives, also if survivors die at the end */
    AGE_CLASSES
};

/* The youngest band of ages of the page ends here, too. */
#define YOUNG_BYTES (UINT64_C(64) * 1024)

/* The class of a life that is not of a prior object. */
enum age_at_death age_at_death(const struct life_facts *life);

/* The class of a life, if death sites are kept, and not of a prior object. */
enum outlived outlived_class(const struct life_facts *life);

/* What reports call a class: a key of JSON, and words. */
const char *outlived_key(enum outlived outlived);
const char *outlived_label(enum outlived outlived);

#endif
