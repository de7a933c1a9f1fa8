/* SPDX-License-Identifier: MIT */
/* Figures that reports show: shares and quantiles, exact and the same on every machine. */
#ifndef ETMERLIN_REPORT_FIGURES_H
#define ETMERLIN_REPORT_FIGURES_H

#include <stddef.h>
#include <stdint.h>

/* A sum or product that no trace is long enough to overflow. */
__extension__ typedef unsigned __int128 wide_sum;

/* Room that figures_format_wide needs. */
enum { WIDE_SIZE = 40 };

/* Writes `sum` in decimal to `out`, terminated. Returns where it begins in `out`. */
const char *figures_format_wide(char *out, wide_sum sum);

/* `part` of `whole` (not 0, nor less than `part`) in hundredths of a percent, rounded half up,
 * but 0 only of nothing and 10000 only of the whole. */
uint64_t figures_share(uint64_t part, uint64_t whole);

/* `sum` / `count` (not 0), in hundredths, rounded half up. `sum` is one of `count` 64-bit
 * numbers. */
wide_sum figures_mean(wide_sum sum, uint64_t count);

/* As figures_mean, but a whole number. It is not figures_mean rounded once more: 0.496 is 0. */
wide_sum figures_whole_mean(wide_sum sum, uint64_t count);

/* The share that `part` has of `whole` in `scale`-ths, at most a million of them, rounded; 0 if
 * `whole` is 0. */
unsigned figures_wide_share(wide_sum part, wide_sum whole, unsigned scale);

/* What is to be known of many numbers. Quantiles are by nearest rank: the smallest of
 * the numbers that at least the given share of them does not exceed. */
struct distribution {
    size_t count; /* 0: the others mean nothing */
    uint64_t min;
    uint64_t p10;
    uint64_t median;
    uint64_t p90;
    uint64_t p99;
    uint64_t max;
    uint64_t mean; /* and so many hundredths, rounded half up */
    unsigned mean_hundredths;
};

/* A description in the making, of numbers that come in ascending order. */
struct describing {
    struct distribution distribution;
    wide_sum sum;
    size_t seen;
    size_t p10_rank, median_rank, p90_rank, p99_rank; /* from 1 */
};

/* Starts to describe `count` numbers; describing_add each of them, then describing_end. */
struct describing describing_begin(size_t count);
void describing_add(struct describing *describing, uint64_t number);
struct distribution describing_end(const struct describing *describing);

/* Describes `count` numbers, and sorts them. */
struct distribution figures_describe(uint64_t *numbers, size_t count);

/* The Gini coefficient: how unequal weighted numbers are (1 - 2 * the area under their Lorenz
 * curve). 0: all are the same; 1: all of their sum is in a vanishing share of the weight.
 * Zero-initialize it. */
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
