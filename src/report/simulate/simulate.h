/* SPDX-License-Identifier: MIT */
/* The report of --simulate: what collectors would do with heaps of many sizes. */
#ifndef ETMERLIN_REPORT_SIMULATE_SIMULATE_H
#define ETMERLIN_REPORT_SIMULATE_SIMULATE_H

#include "report/report.h"

/* As struct report_class wants them. */
enum status simulate_read(struct report *report, const struct batch *batch,
                          struct failure *why) MUST_CHECK;
enum status simulate_begin(struct report *report, struct failure *why) MUST_CHECK;
enum status simulate_add_life(struct report *report, const struct life_facts *life,
                              struct failure *why) MUST_CHECK;
enum status simulate_finish(struct report *report, struct failure *why) MUST_CHECK;
char *simulate_remark(const struct report *report);
void simulate_release(struct report *report);

#endif
