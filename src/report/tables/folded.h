/* SPDX-License-Identifier: MIT */
/* Folded stacks of --folded: contexts and types for flame graphs. */
#ifndef ETMERLIN_REPORT_TABLES_FOLDED_H
#define ETMERLIN_REPORT_TABLES_FOLDED_H

#include "report/report.h"

/* See struct report_class. STATUS_MEANING for the weight
 * FOLDED_DRAG when the trace has objects but records no uses of them. */
enum status folded_finish(struct report *report, struct failure *why) MUST_CHECK;

#endif
