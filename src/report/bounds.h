/* When objects died at the earliest and at the latest, of a trace that tells of calls and frees
 * but not of references: a TraceVis trace (tracevis-zip.md, "What can be computed"). */
#ifndef ETMERLIN_REPORT_BOUNDS_H
#define ETMERLIN_REPORT_BOUNDS_H

#include "io/source.h"
#include "report/table.h"

/* How long a call proves that its receiver is alive. */
enum receiver_until { RECEIVER_UNTIL_EXIT, RECEIVER_UNTIL_ENTRY };

/* Reads the TraceVis trace that `trace` holds, once, and writes to `table` a note and the names
 * of the columns, then a row an object, a row a class and a row for all. Times are those of the
 * trace. Malformed lines are passed over: what was to be said of them was said when the trace
 * was read before. */
enum status bounds_write(struct table *table, struct source *trace, enum receiver_until until,
                         struct failure *why) MUST_CHECK;

#endif
