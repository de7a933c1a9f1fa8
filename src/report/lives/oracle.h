/* SPDX-License-Identifier: MIT */
/* The report of --oracle: allocations and deaths in the order of the trace, for replays against
 * an allocator. Its columns are those that memory simulators built on gem5 read. */
#ifndef ETMERLIN_REPORT_LIVES_ORACLE_H
#define ETMERLIN_REPORT_LIVES_ORACLE_H

#include "report/report.h"

/* Where an object was allocated, and what it is. */
struct origin {
    uint64_t type;
    uint64_t site;
};

/* Begins the table. STATUS_MEANING: ids repeat, and material->ids does not tell their objects
 * apart. */
enum status oracle_events_begin(struct report *report, struct failure *why) MUST_CHECK;

/* Puts the row of an event of the type "alloc" or "free". */
void oracle_put_event(struct table *table, uint64_t event, const char *type, uint64_t object,
                      uint64_t size, uint64_t thread, const struct origin *origin);

/* See struct report_class. oracle_begin fails with STATUS_MEANING if ids repeat and
 * material->ids does not tell their objects apart. A death without a node is one that the input
 * has; it gets no row if its object is not allocated or is dead already. */
enum status oracle_begin(struct report *report, struct failure *why) MUST_CHECK;
enum status oracle_allocated(struct report *report, const struct record *record, uint64_t line,
                             uint64_t event, struct failure *why) MUST_CHECK;
enum status oracle_died(struct report *report, const struct record *death, node_t node,
                        uint64_t event, struct failure *why) MUST_CHECK;
void oracle_release(struct report *report);

/* The same with --oracle-free=last-use: an object is freed behind the record that is its last
 * use (etmerlin(1), "Oracles"). */
enum status oracle_uses_begin(struct report *report, struct failure *why) MUST_CHECK;
enum status oracle_uses_allocated(struct report *report, const struct record *record,
                                  uint64_t line, uint64_t event,
                                  struct failure *why) MUST_CHECK;
enum status oracle_uses_died(struct report *report, const struct record *death, node_t node,
                             uint64_t event, struct failure *why) MUST_CHECK;
enum status oracle_uses_finish(struct report *report, struct failure *why) MUST_CHECK;

#endif
