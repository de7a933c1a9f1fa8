/* SPDX-License-Identifier: MIT */
/* What reports make of a life: its class by the frames that it outlives, and that by its age at
 * death. */
#ifndef ETMERLIN_REPORT_LIVES_LIFE_CLASSES_H
#define ETMERLIN_REPORT_LIVES_LIFE_CLASSES_H

#include "merlin/lives/life_facts.h"
#include "merlin/pass.h"

/* Whether the trace records uses of objects other than their allocations; formats that hold
 * lifetimes alone do not, and then nothing can be said of drag. */
bool uses_are_recorded(const struct pass *pass);

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
