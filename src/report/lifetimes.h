/* The report of --lifetimes: a row an allocated object, written as its allocation record comes
 * by in the second reading. */
#ifndef ETMERLIN_REPORT_LIFETIMES_H
#define ETMERLIN_REPORT_LIFETIMES_H

#include "report/ledger.h"
#include "report/table.h"
#include "trace/names.h"

struct lifetimes {
    struct table *table;
    const struct ledger *ledger;
    const struct names *names; /* NULL: without columns for names */
    bool has_threads;
    size_t next; /* allocation */
};

/* Puts the line of column names. */
void lifetimes_begin(struct lifetimes *lifetimes);

/* Puts the row of the next allocation, whose record is `record` in line `line`. */
void lifetimes_row(struct lifetimes *lifetimes, const struct record *record, uint64_t line);

#endif
