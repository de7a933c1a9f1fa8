/* SPDX-License-Identifier: MIT */
/* The names of the numbers of records of each kind in a validation. */
#ifndef ETMERLIN_REPORT_VALIDATE_KIND_FIGURES_H
#define ETMERLIN_REPORT_VALIDATE_KIND_FIGURES_H

#include "trace/record.h"

#include <stddef.h>

struct kind_figure {
    unsigned kind;
    const char *label; /* in text */
    const char *key;   /* in JSON; NULL: the letter of the kind */
};

/* Lists the figures for numbers of records in the order of the report, and returns how many
 * there are. Allocations, method exits and deaths have other figures. */
size_t kind_figures_list(struct kind_figure figures[RECORD_KINDS]);

#endif
