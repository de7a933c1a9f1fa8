/* SPDX-License-Identifier: MIT */
/* The report of --lifetimes: a row an allocated object, written as its allocation record comes
 * by in the second reading or, in windows, in the order of death. */
#ifndef ETMERLIN_REPORT_TABLES_LIFETIMES_H
#define ETMERLIN_REPORT_TABLES_LIFETIMES_H

#include "report/report.h"

/* See struct report_class. */
enum status lifetimes_begin(struct report *report, struct failure *why) MUST_CHECK;
enum status lifetimes_add_life(struct report *report, const struct life_facts *life,
                               struct failure *why) MUST_CHECK;
char *lifetimes_remark(const struct report *report);
void lifetimes_release(struct report *report);

#endif
