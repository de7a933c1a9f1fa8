/* SPDX-License-Identifier: MIT */
/* Aligns two sequences of keys, such as what a thread allocated in two runs. */
#ifndef ETMERLIN_REPORT_MATCH_SEQUENCES_H
#define ETMERLIN_REPORT_MATCH_SEQUENCES_H

#include "base/interrupt.h"
#include "report/match/paired_runs.h"

/* Pairs elements of two sequences, of fewer than 2^32 - 2 elements each: what is paired has
 * equal keys, and comes in the same order in both. What is equal at the beginning is paired
 * first, so runs->items[0] is that if it begins at 0 in both. Not always as many as possible
 * are paired: time is linear in the elements (edit_path.h, anchors.h), and memory is at most 12
 * bytes for each. *runs must be empty; the caller owns what it has then (paired_runs_free),
 * also after a failure. STATUS_INTERRUPTED: `interrupt`, which may be NULL, asks to stop. */
enum status sequences_align(struct paired_runs *runs, const struct sequence_gap *both,
                            const struct interrupt *interrupt, struct failure *why) MUST_CHECK;

#endif
