/* SPDX-License-Identifier: MIT */
/* What reports on places of allocation have in common: their state is struct places. */
#ifndef ETMERLIN_REPORT_LIVES_PLACES_REPORT_H
#define ETMERLIN_REPORT_LIVES_PLACES_REPORT_H

#include "report/report.h"

/* See struct report_class. places_finish is left to the report's own `finish`. */
enum status places_report_begin(struct report *report, struct failure *why) MUST_CHECK;
enum status places_report_allocated(struct report *report, const struct record *record,
                                    uint64_t line, uint64_t event,
                                    struct failure *why) MUST_CHECK;
void places_report_release(struct report *report);

#endif
