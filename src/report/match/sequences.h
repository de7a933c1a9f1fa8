/* SPDX-License-Identifier: MIT */
/* Aligns two sequences of keys, such as those of what a thread allocated in two runs: which
 * elements are paired are runs of equal elements, ascending in both. */
#ifndef ETMERLIN_REPORT_MATCH_SEQUENCES_H
#define ETMERLIN_REPORT_MATCH_SEQUENCES_H

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

/* Releases the runs; *runs is empty then. */
void paired_runs_free(struct paired_runs *runs);

/* A part of two sequences: the `count_a` elements at `a`, which is at position `at_a` of the
 * whole sequence; the same for b. */
struct sequence_gap {
    const uint32_t *a, *b;
    size_t count_a, count_b;
    uint32_t at_a, at_b;
};

/* Pairs elements of two sequences, of fewer than 2^32 - 2 elements each: pairs have equal keys,
 * and the same order in both sequences. A common beginning is always paired: it is
 * runs->items[0], if that begins at 0 in both. It does not always find as many pairs as
 * possible: its time grows linearly with the elements, but as O(n log n) with n anchors, its
 * memory by at most 20 bytes an element. *runs must be empty; the caller owns what it has then
 * (paired_runs_free), also after a failure. STATUS_INTERRUPTED: `interrupt`, which may be NULL,
 * asks to stop. */
enum status sequences_align(struct paired_runs *runs, const struct sequence_gap *both,
                            const struct interrupt *interrupt, struct failure *why) MUST_CHECK;

#endif
