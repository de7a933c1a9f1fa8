/* SPDX-License-Identifier: MIT */
/* The report of --oracle: allocations and frees in the order of the trace, for replays against
 * an allocator (etmerlin-reports(5)). Its columns are those that memory simulators built on
 * gem5 read. */
#ifndef ETMERLIN_REPORT_ORACLE_ORACLE_EVENTS_H
#define ETMERLIN_REPORT_ORACLE_ORACLE_EVENTS_H

#include "report/report.h"

/* See struct report_class. STATUS_MEANING: ids repeat, and objects are not called by numbers.
 */
enum status oracle_events_begin(struct report *report, struct failure *why) MUST_CHECK;

/* Objects are freed when they die, or, if the history has use places, after their last use. */
enum status oracle_events_finish(struct report *report, struct failure *why) MUST_CHECK;

#endif
