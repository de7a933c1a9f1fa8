/* SPDX-License-Identifier: MIT */
/* The report of --live: the live heap over time. */
#ifndef ETMERLIN_REPORT_TABLES_LIVE_TABLE_H
#define ETMERLIN_REPORT_TABLES_LIVE_TABLE_H

#include "report/report.h"

/* See struct report_class. Puts a row for each boundary at which the live heap changes. With
 * settings->live_points, cuts what settings->live_axis says - the bytes that are allocated, or
 * the time from the first boundary to the last - into so many intervals of one length, and puts
 * a row for each in which the live heap changes: what it is at its end, how much was allocated
 * and died in it, and the least and the most that the heap was in it, its beginning included.
 */
enum status live_finish(struct report *report, struct failure *why) MUST_CHECK;

#endif
