/* SPDX-License-Identifier: MIT */
/* Of which clock the times of recorded deaths are. */
#ifndef ETMERLIN_MERLIN_RECORDED_TIMES_H
#define ETMERLIN_MERLIN_RECORDED_TIMES_H

#include "base/status.h"
#include "trace/reader.h"

#include <stdbool.h>

/* Reads the trace from its start to its end, with `threads` as in readahead_visit, and rewinds
 * it. *by_position becomes whether a death has a time that the trace's clock had not shown
 * where the death stands: then only their positions show when objects died. STATUS_MEANING: so
 * it is, and all deaths stand after the last record, where positions mean nothing. */
enum status recorded_times_check(struct reader *reader, unsigned threads, bool *by_position,
                                 struct failure *why) MUST_CHECK;

#endif
