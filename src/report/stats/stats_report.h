/* SPDX-License-Identifier: MIT */
/* The report of --stats. */
#ifndef ETMERLIN_REPORT_STATS_STATS_REPORT_H
#define ETMERLIN_REPORT_STATS_STATS_REPORT_H

#include "report/report.h"

/* See struct report_class. */
enum status stats_begin(struct report *report, struct failure *why) MUST_CHECK;
enum status stats_add_life(struct report *report, const struct life_facts *life,
                           struct failure *why) MUST_CHECK;
enum status stats_finish(struct report *report, struct failure *why) MUST_CHECK;
void stats_release(struct report *report);

#endif
