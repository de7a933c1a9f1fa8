/* SPDX-License-Identifier: MIT */
/* Classes of objects by the frames that they outlive (etmerlin-deaths(7)), as statistics and
 * the page show them. */
#ifndef ETMERLIN_REPORT_LIVES_OUTLIVED_H
#define ETMERLIN_REPORT_LIVES_OUTLIVED_H

#include "merlin/life_facts.h"

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

/* The class of a life, if death sites are kept, and not of a prior object. */
enum outlived outlived_class(const struct life_facts *life);

/* What reports call a class: a key of JSON, and words. */
const char *outlived_key(enum outlived outlived);
const char *outlived_label(enum outlived outlived);

#endif
