/* SPDX-License-Identifier: MIT */
/* The table of --held: what each root alone keeps alive at a moment. */
#ifndef ETMERLIN_REPORT_GRAPH_HELD_H
#define ETMERLIN_REPORT_GRAPH_HELD_H

#include "report/report.h"

/* Of struct report_class. */
enum status held_begin(struct report *report, struct failure *why) MUST_CHECK;
enum status held_finish(struct report *report, struct failure *why) MUST_CHECK;

#endif
