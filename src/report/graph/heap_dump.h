/* SPDX-License-Identifier: MIT */
/* The report of --heap-dump: the heap at a moment, as HPROF (hprof.h). */
#ifndef ETMERLIN_REPORT_GRAPH_HEAP_DUMP_H
#define ETMERLIN_REPORT_GRAPH_HEAP_DUMP_H

#include "report/report.h"

/* See struct report_class. */
enum status heap_dump_finish(struct report *report, struct failure *why) MUST_CHECK;
char *heap_dump_remark(const struct report *report);
void heap_dump_release(struct report *report);

#endif
