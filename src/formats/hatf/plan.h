/* SPDX-License-Identifier: MIT */
/* How to write one field of compact HATF: with which settings, and where to change them. */
#ifndef ETMERLIN_FORMATS_HATF_PLAN_H
#define ETMERLIN_FORMATS_HATF_PLAN_H

#include "formats/hatf/codec.h"

#include <stddef.h>

/* Fields that are planned together. */
enum { HATF_PLAN_MAX = 4096 };

/* What to do before a field is written. */
enum hatf_change {
    HATF_STAY,   /* nothing */
    HATF_RESIZE, /* set the width */
    HATF_ENTER   /* set the interpretation, and the width unless the field is absent then */
};

struct hatf_step {
    uint8_t change; /* enum hatf_change */
    uint8_t interpretation;
    uint8_t width;
    uint64_t argument, stride; /* of HATF_ENTER */
};

/* The values of consecutive fields of one type, in order. Of attributes: their lengths. */
struct hatf_column {
    size_t count;
    uint64_t values[HATF_PLAN_MAX];
};

/* Room to plan in. */
struct hatf_planner;

/* NULL: no memory. The caller owns it (free). */
struct hatf_planner *hatf_planner_new(void);

/* Chooses the step before each field of `column`, so that metadata and fields together are as
 * few bytes as they can be. The fields are of type `field` (not HATF_HEAP), written under
 * `settings` if nothing is changed. `steps` has room for as many.
 *
 * `plain_width` is the width that the plain form, which has the interpretation none, has come
 * to after the last field. The plan is charged for going there from where it ends. That makes
 * the compact form never larger: to go to the plain form at once and stay there is a plan as
 * well, which costs what the plan before was charged and the fields in plain form. So all plans
 * together, each paying its charge and getting that of the plan before back, cost at most what
 * the plain form costs. */
void hatf_plan(struct hatf_planner *planner, enum hatf_field field,
               const struct hatf_settings *settings, unsigned plain_width,
               const struct hatf_column *column, struct hatf_step *steps);

#endif
