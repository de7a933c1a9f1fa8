/* SPDX-License-Identifier: MIT */
/* When objects died at the earliest and at the latest, of a trace that records calls and frees
 * but not of references: a TraceVis trace (etmerlin-reports(5)). */
#ifndef ETMERLIN_REPORT_TABLES_BOUNDS_H
#define ETMERLIN_REPORT_TABLES_BOUNDS_H

#include "report/report.h"

/* See struct report_class. Reads the trace once more, from a reader whose class has moments,
 * and writes a note and the names of the columns, then a row an object, a row a class and a row
 * for all. Times are those of the trace. */
enum status bounds_finish(struct report *report, struct failure *why) MUST_CHECK;

#endif
