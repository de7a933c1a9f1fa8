/* SPDX-License-Identifier: MIT */
/* Pairs the elements of a gap one by one, along shortest edit paths. */
#ifndef ETMERLIN_REPORT_MATCH_EDIT_PATH_H
#define ETMERLIN_REPORT_MATCH_EDIT_PATH_H

#include "report/match/paired_runs.h"

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
