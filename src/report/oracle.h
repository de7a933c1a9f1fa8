/* The report of --oracle: allocations and deaths in the order of the trace, for replays against
 * an allocator. Its columns are those that the simulators of the gem5 world read. */
#ifndef ETMERLIN_REPORT_ORACLE_H
#define ETMERLIN_REPORT_ORACLE_H

#include "report/ledger.h"
#include "report/table.h"

/* Type and site of allocations. There are few different pairs: each has a number. */
struct oracle_origins;

/* Zero-initialize it, but for the first three; oracle_free ends it. */
struct oracle {
    struct table *table;
    const struct ledger *ledger;
    struct history *history; /* of the ledger */
    size_t allocated;        /* allocations so far */
    struct oracle_origins *origins;
};

/* Puts the line of column names. */
enum status oracle_begin(struct oracle *oracle, struct failure *why) MUST_CHECK;

/* Put the row of the next allocation or death, which is record number `event`, from 0, of the
 * trace with its deaths. A death without a node is one that the input has; it gets no row if
 * its object is not allocated or is dead already. */
enum status oracle_allocated(struct oracle *oracle, const struct record *record, uint64_t event,
                             struct failure *why) MUST_CHECK;
enum status oracle_died(struct oracle *oracle, const struct record *death, node_t node,
                        uint64_t event, struct failure *why) MUST_CHECK;

void oracle_free(struct oracle *oracle);

#endif
