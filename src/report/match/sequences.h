/* SPDX-License-Identifier: MIT */
/* Aligns two sequences of keys, such as what a thread allocated in two runs. */
#ifndef ETMERLIN_REPORT_MATCH_SEQUENCES_H
#define ETMERLIN_REPORT_MATCH_SEQUENCES_H

#include "base/interrupt.h"
#include "report/match/paired_runs.h"

/* Pairs elements of two sequences, of fewer than 2^32 - 2 elements each: what is paired has
 * equal keys, and comes in the same order in both. What is equal at the beginning is paired
 * first, so runs->items[0] is that if it begins at 0 in both. Not always as many as possible
 * are paired: time is linear in the elements, and memory is at most 12
 * bytes for each. *runs must be empty; the caller owns what it has then (paired_runs_free),
 * also after a failure. STATUS_INTERRUPTED: `interrupt`, which may be NULL, asks to stop. */
enum status sequences_align(struct paired_runs *runs, const struct sequence_gap *both,
                            const struct interrupt *interrupt, struct failure *why) MUST_CHECK;

/* The two ways that it takes, in turns. */

/* Longest window of anchors. */
enum { ANCHOR_WINDOW_MAX = 32 };

/* Patience diff (Bram Cohen's) over windows: those of `window` elements, 1 to
 * ANCHOR_WINDOW_MAX, that stand once in each sequence of the gap are paired, as many of them as
 * keep their order in both, and what is equal before and after each. Of long gaps an eighth of
 * the windows is taken, so that it takes less than 16 bytes an element. Takes time linear in
 * the elements but for the order of the anchors, O(n log n) of these. Appends to *runs. */
enum status anchors_add(struct paired_runs *runs, const struct sequence_gap *gap, size_t window,
                        struct failure *why) MUST_CHECK;

/* Insertions and deletions that are tried before what has been found is taken. */
enum { EDIT_COST_MAX = 64 };

/* The greedy algorithm of Myers ("An O(ND) Difference Algorithm and Its Variations",
 * Algorithmica 1986), which begins anew where it has come to after EDIT_COST_MAX edits: what is
 * paired is a longest common subsequence of gaps that need no more, and a common subsequence of
 * all others. Takes time linear in the elements of the gap: at most 2 * EDIT_COST_MAX + 1 steps
 * for each. Appends to *runs. */
enum status edit_path_add(struct paired_runs *runs, struct sequence_gap gap,
                          struct failure *why) MUST_CHECK;

#endif
