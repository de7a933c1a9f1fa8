/* SPDX-License-Identifier: MIT */
/* Anchors: what stands once in each of two sequences, and in the same order in both. */
#ifndef ETMERLIN_REPORT_MATCH_ANCHORS_H
#define ETMERLIN_REPORT_MATCH_ANCHORS_H

#include "report/match/paired_runs.h"

/* Longest window. */
enum { ANCHOR_WINDOW_MAX = 32 };

/* Patience diff (Bram Cohen's) over windows: those of `window` elements, 1 to
 * ANCHOR_WINDOW_MAX, that stand once in each sequence of the gap are paired, as many of them as
 * keep their order in both, and what is equal before and after each. Of long gaps an eighth of
 * the windows is taken, so that it takes less than 16 bytes an element. Takes time linear in
 * the elements but for the order of the anchors, O(n log n) of these. Appends to *runs. */
enum status anchors_add(struct paired_runs *runs, const struct sequence_gap *gap, size_t window,
                        struct failure *why) MUST_CHECK;

#endif
