/* SPDX-License-Identifier: MIT */
/* Figures that reports show: shares and quantiles, exact and the same on every machine. */
#ifndef ETMERLIN_REPORT_FIGURES_H
#define ETMERLIN_REPORT_FIGURES_H

#include <stddef.h>
#include <stdint.h>

/* A sum or product that no trace is long enough to overflow. */
__extension__ typedef unsigned __int128 wide_sum;

/* How much there is of something. */
struct amount {
    uint64_t objects;
    uint64_t bytes;
};

/* Adds an object. */
static inline void amount_add(struct amount *amount, uint64_t bytes)
{
    amount->objects++;
    amount->bytes += bytes;
}

static inline struct amount amount_sum(struct amount one, struct amount other)
{
    return (struct amount){one.objects + other.objects, one.bytes + other.bytes};
}

/* Room that figures_format_wide needs. */
enum { WIDE_SIZE = 40 };

/* Writes `sum` in decimal, terminated, at the end of `out`, which has WIDE_SIZE bytes. Returns
 * where it begins in `out`. */
const char *figures_format_wide(char *out, wide_sum sum);

/* The share that `part` has of `whole` (not less than `part`) in hundredths of a percent,
 * rounded half up; but it is 0 only if `part` is 0, and 10000 only if `part` is `whole`. */
unsigned figures_share(wide_sum part, wide_sum whole);

/* `sum` / `count` (not 0), in hundredths, rounded half up. `sum` is one of `count` 64-bit
 * numbers. */
wide_sum figures_mean(wide_sum sum, uint64_t count);

/* As figures_mean, but rounded to a whole number. This is not figures_mean rounded again: 0.496
 * gives 0, not 0.50 and then 1. */
wide_sum figures_whole_mean(wide_sum sum, uint64_t count);

/* The share that `part` has of `whole`, in units of 1 / `scale` (at most a million), rounded; 0
 * if `whole` is 0. */
unsigned figures_wide_share(wide_sum part, wide_sum whole, unsigned scale);

/* Describes many numbers. Quantiles are by nearest rank: the smallest of the numbers such that
 * at least the given share of all numbers is not greater. */
struct distribution {
    size_t count; /* 0: the others mean nothing */
    uint64_t min;
    uint64_t p10;
    uint64_t median;
    uint64_t p90;
    uint64_t p99;
    uint64_t max;
    uint64_t mean; /* whole part; the hundredths follow, rounded half up */
    unsigned mean_hundredths;
};

/* A distribution while it is being made from numbers in ascending order. */
struct describing {
    struct distribution distribution;
    wide_sum sum;
    size_t seen;
    size_t p10_rank, median_rank, p90_rank, p99_rank; /* from 1 */
};

/* Begins to describe `count` numbers: call describing_add for each, in ascending order, then
 * describing_end. */
struct describing describing_begin(size_t count);
void describing_add(struct describing *describing, uint64_t number);
struct distribution describing_end(const struct describing *describing);

/* Describes `count` numbers, which it sorts. */
struct distribution figures_describe(uint64_t *numbers, size_t count);

/* The Gini coefficient of weighted numbers: how unequal they are (1 - 2 * the area under their
 * Lorenz curve). 0: all are equal; near 1: a vanishing share of the weight has all of their
 * sum. Zero-initialize it. */
struct gini {
    uint64_t weight;
    wide_sum sum;      /* of weight times number */
    wide_sum area_low; /* twice the area, in 192 bits */
    uint64_t area_high;
};

/* Adds a number, which is not less than the one before. The sum of all weights must fit 64
 * bits. */
void gini_add(struct gini *gini, uint64_t number, uint64_t weight);

/* The coefficient in ten-thousandths, rounded half up; 0 if the sum is 0. */
unsigned gini_coefficient(const struct gini *gini);

#endif
