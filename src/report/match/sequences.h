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

/* How many elements at the beginning of the gap are equal. */
size_t gap_common_prefix(const struct sequence_gap *gap);

/* Pairs elements of two sequences, of fewer than 2^32 - 2 elements each: pairs have equal keys,
 * and the same order in both sequences. A common beginning is always paired: it is
 * runs->items[0], if that begins at 0 in both. It does not always find as many pairs as
 * possible: its time grows linearly with the elements, but for the order of anchors
 * (anchors_add), its memory by at most 20 bytes an element. *runs must be empty; the caller
 * owns what it has then (paired_runs_free), also after a failure. STATUS_INTERRUPTED:
 * `interrupt`, which may be NULL, asks to stop. */
enum status sequences_align(struct paired_runs *runs, const struct sequence_gap *both,
                            const struct interrupt *interrupt, struct failure *why) MUST_CHECK;

/* The two methods that sequences_align uses. */

/* The longest window of an anchor, in elements. */
enum { ANCHOR_WINDOW_MAX = 32 };

/* Patience diff (Bram Cohen's) over windows of `window` elements, 1 to ANCHOR_WINDOW_MAX.
 * Windows that each sequence of the gap has exactly once are anchors. The largest number of
 * them that have the same order in both is paired, with what is equal before and after each. In
 * long gaps only about an eighth of the windows is looked at, so that memory stays below 16
 * bytes an element. Takes linear time, and O(n log n) for n anchors. Appends to *runs. */
enum status anchors_add(struct paired_runs *runs, const struct sequence_gap *gap, size_t window,
                        struct failure *why) MUST_CHECK;

/* The most insertions and deletions in a search, before the best path so far is taken. */
enum { EDIT_COST_MAX = 64 };

/* The greedy algorithm of Myers ("An O(ND) Difference Algorithm and Its Variations",
 * Algorithmica 1986), which starts anew at the point that it reaches after EDIT_COST_MAX edits.
 * So it pairs a longest common subsequence of gaps that need no more edits, and some common
 * subsequence of others. Takes linear time: at most 2 * EDIT_COST_MAX + 1 steps for each
 * element of the gap. Appends to *runs. */
enum status edit_path_add(struct paired_runs *runs, struct sequence_gap gap,
                          struct failure *why) MUST_CHECK;

#endif
