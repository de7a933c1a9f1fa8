/* SPDX-License-Identifier: MIT */
/* What other outputs show of a match. */
#ifndef ETMERLIN_REPORT_MATCH_MATCH_REPORT_H
#define ETMERLIN_REPORT_MATCH_MATCH_REPORT_H

#include "report/match/match.h"
#include "report/report.h"

/* The table of sites: see struct report_class. */
enum status match_sites_finish(struct report *report, struct failure *why) MUST_CHECK;

#endif
