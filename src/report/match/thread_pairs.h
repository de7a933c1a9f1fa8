/* SPDX-License-Identifier: MIT */
/* Which thread of one run corresponds to which of the other. */
#ifndef ETMERLIN_REPORT_MATCH_THREAD_PAIRS_H
#define ETMERLIN_REPORT_MATCH_THREAD_PAIRS_H

#include "report/match/run.h"

/* At most so many threads of each run are compared with each other, by at most so many
 * different keys of a thread of b. They bound the time that the comparison takes. */
enum { COMPARED_THREADS = 256, COMPARED_KEYS = 4096 };

/* Sets `pair` of the threads of both runs. All their keys must be below `key_count`. A thread
 * of a gets its own index. A thread of b gets the index of its partner in a; those without a
 * partner get the next numbers, in the order of b. The ids of threads play no part
 * (etmerlin-reports(5), "Pairs"). */
enum status thread_pairs_find(struct run *a, struct run *b, size_t key_count,
                              struct failure *why) MUST_CHECK;

#endif
