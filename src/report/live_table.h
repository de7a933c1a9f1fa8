/* The report of --live: the live heap over time. */
#ifndef ETMERLIN_REPORT_LIVE_TABLE_H
#define ETMERLIN_REPORT_LIVE_TABLE_H

#include "report/live.h"
#include "report/table.h"

/* Puts a row for each boundary at which the live heap changes. */
void live_write(struct table *table, const struct ledger *ledger);

/* Cuts the time from the first boundary to the last into `intervals` (not 0) of one length, and
 * puts a row for each in which the live heap changes: what it is at its end, how much was
 * allocated and died in it, and the least and the most that the heap was in it, its beginning
 * included. */
void live_write_intervals(struct table *table, const struct ledger *ledger, uint64_t intervals);

#endif
