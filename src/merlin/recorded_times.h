/* SPDX-License-Identifier: MIT */
/* Finds out whether the times of recorded deaths are of the trace's clock. */
#ifndef ETMERLIN_MERLIN_RECORDED_TIMES_H
#define ETMERLIN_MERLIN_RECORDED_TIMES_H

#include "base/status.h"
#include "trace/reader.h"

#include <stdbool.h>

/* Reads the trace from its start to its end, with `threads` as in readahead_visit, and rewinds
 * it. Sets *by_position to whether a death has a time that the trace's clock has not shown
 * before the position of the death: then only the positions of deaths show when objects died. A
 * trace without boundaries has no clock, and positions mean nothing there: the times in its
 * records count, if it has them. STATUS_MEANING: it has none, or all deaths come after the last
 * record, where positions mean nothing, either. */
enum status recorded_times_check(struct reader *reader, unsigned threads, bool *by_position,
                                 struct failure *why) MUST_CHECK;

#endif
