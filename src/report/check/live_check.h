/* SPDX-License-Identifier: MIT */
/* The report of --live-check: the computed live heap compared with the objects that collections
 * have left alive.
 */
#ifndef ETMERLIN_REPORT_CHECK_LIVE_CHECK_H
#define ETMERLIN_REPORT_CHECK_LIVE_CHECK_H

#include "report/report.h"

/* See struct report_class. Reads report->path, a file that ettrace --check has written: a line
 * with the id of the trace (trace/trace_mark.h), lines `G id` of objects that a collection
 * found dead, and after them `L clock objects bytes`, what it left. STATUS_SYNTAX: there is
 * another line in it, clocks that do not ascend, or no collection; STATUS_MEANING: the id of
 * another trace, or an object that the trace does not allocate. */
enum status live_check_begin(struct report *report, struct failure *why) MUST_CHECK;
enum status live_check_add_life(struct report *report, const struct life_facts *life,
                                struct failure *why) MUST_CHECK;
enum status live_check_finish(struct report *report, struct failure *why) MUST_CHECK;
void live_check_release(struct report *report);

#endif
