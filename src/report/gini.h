/* SPDX-License-Identifier: MIT */
/* The Gini coefficient: how unequal weighted numbers are (1 - 2 * the area under their Lorenz
 * curve). 0: all are the same; 1: all of their sum is in a vanishing share of the weight. */
#ifndef ETMERLIN_REPORT_GINI_H
#define ETMERLIN_REPORT_GINI_H

#include "report/figures.h"

/* Zero-initialize it. */
struct gini {
    uint64_t weight;
    wide_sum sum;      /* of weight times number */
    wide_sum area_low; /* twice the area, in 192 bits */
    uint64_t area_high;
};

/* Adds a number, which is not below the one before. All weights together fit 64 bits. */
void gini_add(struct gini *gini, uint64_t number, uint64_t weight);

/* The coefficient in ten-thousandths, rounded half up; of no weight 0. */
unsigned gini_coefficient(const struct gini *gini);

/* Room that gini_print needs. */
enum { GINI_SIZE = 16 };

/* Writes the coefficient to `out`, as in 0.1234; returns `out`. */
const char *gini_print(char *out, const struct gini *gini);

#endif
