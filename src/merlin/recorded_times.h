/* SPDX-License-Identifier: MIT */
/* Finds out whether the times of recorded deaths are of the trace's clock. */
#ifndef ETMERLIN_MERLIN_RECORDED_TIMES_H
#define ETMERLIN_MERLIN_RECORDED_TIMES_H

#include "base/status.h"
#include "trace/reader.h"

#include <stdbool.h>
#include <stdint.h>

struct recorded_times {
    /* A death has a time that the trace's clock has not shown before the position of the death:
     * only the positions of deaths show when objects died. */
    bool by_position;
    bool has_clock;  /* there is a boundary */
    uint64_t digest; /* of the trace (reader_digest) */
};

/* Reads the trace from its start to its end, with `threads` as in readahead_visit, and rewinds
 * it. Sets *times. Without a clock positions mean nothing: the times in the trace's records
 * count, if it has them. STATUS_MEANING: a death has a time that is not the clock's, and
 * the trace has neither boundaries nor times in its records, or all deaths come after the last
 * record, where positions mean nothing, either. */
enum status recorded_times_check(struct reader *reader, unsigned threads,
                                 struct recorded_times *times, struct failure *why) MUST_CHECK;

#endif
