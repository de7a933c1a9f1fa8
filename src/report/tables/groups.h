/* SPDX-License-Identifier: MIT */
/* The report of --groups: a row a group of two or more objects, in the order of their deaths.
 */
#ifndef ETMERLIN_REPORT_TABLES_GROUPS_H
#define ETMERLIN_REPORT_TABLES_GROUPS_H

#include "report/report.h"

/* See struct report_class. */
enum status groups_begin(struct report *report, struct failure *why) MUST_CHECK;
enum status groups_add_life(struct report *report, const struct life_facts *life,
                            struct failure *why) MUST_CHECK;
void groups_release(struct report *report);

#endif
