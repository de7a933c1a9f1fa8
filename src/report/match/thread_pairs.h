/* SPDX-License-Identifier: MIT */
/* Which thread of one run is which of the other. */
#ifndef ETMERLIN_REPORT_MATCH_THREAD_PAIRS_H
#define ETMERLIN_REPORT_MATCH_THREAD_PAIRS_H

#include "report/match/run.h"

/* Threads of each run that are all compared with each other, and different keys of a thread of
 * b that count there: a comparison of all takes so many steps at most. */
enum { COMPARED_THREADS = 256, COMPARED_KEYS = 4096 };

/* Sets `pair` of the threads of both runs, which have their keys, all of them below
 * `key_count`: threads of a have their index; a thread of b has that of its partner in a, or
 * without one the next number after those, in the order of b. Ids of threads have no part in
 * it (etmerlin-reports(5), "Pairs"). */
enum status thread_pairs_find(struct run *a, struct run *b, size_t key_count,
                              struct failure *why) MUST_CHECK;

#endif
