/* SPDX-License-Identifier: MIT */
/* Plans how to write one field of compact HATF: with which settings, and where to change them.
 */
#ifndef ETMERLIN_FORMATS_HATF_PLAN_H
#define ETMERLIN_FORMATS_HATF_PLAN_H

#include "formats/hatf/codec.h"

#include <stddef.h>

/* The most fields that are planned together. */
enum { HATF_PLAN_MAX = 4096 };

/* What to do before a field is written. */
enum hatf_change {
    HATF_STAY,   /* nothing */
    HATF_RESIZE, /* set the width */
    HATF_ENTER   /* set the interpretation, and the width unless the interpretation makes the
                    field absent */
};

struct hatf_step {
    uint8_t change; /* enum hatf_change */
    uint8_t interpretation;
    uint8_t width;
    uint64_t argument, stride; /* of HATF_ENTER */
};

/* The values of consecutive fields of one type, in order; of attributes, their lengths. */
struct hatf_column {
    size_t count;
    uint64_t values[HATF_PLAN_MAX];
};

/* Room to plan in. */
struct hatf_planner;

/* NULL: no memory. The caller owns it (free). */
struct hatf_planner *hatf_planner_new(void);

/* Sets steps[i] to the step before field i of `column`, so that metadata and fields together
 * take as few bytes as possible. The fields are of type `field`, not HATF_HEAP. *settings are
 * in effect before the first field. `steps` has room for column->count steps.
 *
 * `plain_width` is the width that the plain form, whose interpretation is always none, has
 * reached after the last field. The cost of a plan includes the metadata that lead from its
 * last settings to those of the plain form. That is why the compact form is never larger than
 * the plain form. Going to the plain form at once and staying there is one of the plans that
 * are compared: it costs what was included in the cost of the plan before, and the fields in
 * plain form. So all plans together, each paying for its own way back and saving that of the
 * plan before, cost at most as much as the plain form. */
void hatf_plan(struct hatf_planner *planner, enum hatf_field field,
               const struct hatf_settings *settings, unsigned plain_width,
               const struct hatf_column *column, struct hatf_step *steps);

#endif
