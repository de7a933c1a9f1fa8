/* SPDX-License-Identifier: MIT */
/* Which elements of two sequences are paired: runs of equal elements, ascending in both. */
#ifndef ETMERLIN_REPORT_MATCH_PAIRED_RUNS_H
#define ETMERLIN_REPORT_MATCH_PAIRED_RUNS_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* `length` elements from a[a] and b[b] on are paired, in order; positions count from 0. */
struct paired_run {
    uint32_t a, b;
    uint32_t length;
};

/* Zero-initialize it; paired_runs_free ends it. */
struct paired_runs {
    struct paired_run *items;
    size_t count;
    size_t capacity;
};

/* Appends a run, which begins at or after the end of the last one in both sequences. If it
 * continues the last one in both, that becomes longer. A run of length 0 is ignored. */
enum status paired_runs_add(struct paired_runs *runs, struct paired_run run,
                            struct failure *why) MUST_CHECK;

/* Releases the runs; *runs is empty then. */
void paired_runs_free(struct paired_runs *runs);

/* A part of two sequences: the `count_a` elements at `a`, which is at position `at_a` of the
 * whole sequence; the same for b. */
struct sequence_gap {
    const uint32_t *a, *b;
    size_t count_a, count_b;
    uint32_t at_a, at_b;
};

/* The gap without the first `a` elements of one sequence and the first `b` of the other. */
static inline struct sequence_gap gap_from(const struct sequence_gap *gap, size_t a, size_t b)
{
    return (struct sequence_gap){gap->a + a,
                                 gap->b + b,
                                 gap->count_a - a,
                                 gap->count_b - b,
                                 gap->at_a + (uint32_t)a,
                                 gap->at_b + (uint32_t)b};
}

/* How many elements at the beginning of the gap are equal, and how many at its end. */
size_t gap_common_prefix(const struct sequence_gap *gap);
size_t gap_common_suffix(const struct sequence_gap *gap);

#endif
