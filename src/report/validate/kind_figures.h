/* SPDX-License-Identifier: MIT */
/* How reports of a validation name the numbers of records of each kind. */
#ifndef ETMERLIN_REPORT_VALIDATE_KIND_FIGURES_H
#define ETMERLIN_REPORT_VALIDATE_KIND_FIGURES_H

#include "trace/record_layout.h"

#include <stddef.h>

struct kind_figure {
    unsigned kind;
    const char *label; /* in text */
    const char *key;   /* in JSON; NULL: the letter of the kind */
};

/* Sets the first elements of `figures` to the figures for the number of records of a
 * kind, in the order of the report, and returns how many there are. Kinds that other figures
 * count have none: allocations, method exits and deaths. */
size_t kind_figures_list(struct kind_figure figures[RECORD_KINDS]);

#endif
