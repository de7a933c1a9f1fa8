/* SPDX-License-Identifier: MIT */
/* The two-sample test of Kolmogorov and Smirnov. */
#ifndef ETMERLIN_REPORT_MATCH_KOLMOGOROV_H
#define ETMERLIN_REPORT_MATCH_KOLMOGOROV_H

#include "report/figures.h"

#include <stdbool.h>

/* Two samples, of count[0] and count[1] numbers, that are walked through together in ascending
 * order. Zero-initialize it but for the counts, which are not 0. */
struct two_samples {
    uint64_t count[2];
    uint64_t seen[2]; /* numbers passed so far */
    wide_sum most;    /* the greatest distance so far, times the product of both counts */
};

/* To be called when all numbers up to some value have been counted in `seen`: compares the two
 * distribution functions there. */
void two_samples_step(struct two_samples *samples);

/* The distance, from 0 to 1, in ten-thousandths, rounded half up. */
uint64_t two_samples_distance(const struct two_samples *samples);

/* Whether the distance is less than hundredths / 100, exactly. */
bool two_samples_is_below(const struct two_samples *samples, unsigned hundredths);

/* The probability that samples of one distribution are that far apart or farther, in
 * ten-thousandths, rounded half up: by the limiting distribution, as R's ks.test has it with
 * exact = FALSE. Where values are tied, as lifetimes are, the true one is smaller. */
uint64_t two_samples_p_value(const struct two_samples *samples);

#endif
