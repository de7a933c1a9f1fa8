/* SPDX-License-Identifier: MIT */
/* The page of --page: plots, figures and tables in one file of HTML. */
#ifndef ETMERLIN_REPORT_PAGE_PAGE_H
#define ETMERLIN_REPORT_PAGE_PAGE_H

#include "report/report.h"

/* Whether pages can be made: the program was built with the chart library. */
bool page_is_built(void);

/* See struct report_class. */
enum status page_begin(struct report *report, struct failure *why) MUST_CHECK;
enum status page_add_life(struct report *report, const struct life_facts *life,
                          struct failure *why) MUST_CHECK;
enum status page_finish(struct report *report, struct failure *why) MUST_CHECK;
void page_release(struct report *report);

#endif
