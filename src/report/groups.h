/* The report of --groups: a row a group of two or more objects. */
#ifndef ETMERLIN_REPORT_GROUPS_H
#define ETMERLIN_REPORT_GROUPS_H

#include "report/ledger.h"
#include "report/table.h"

/* Puts all groups, in the order in which the trace first names their keys. */
void groups_write(struct table *table, const struct ledger *ledger);

#endif
