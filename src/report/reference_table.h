/* The report of --references: a row a reference. */
#ifndef ETMERLIN_REPORT_REFERENCE_TABLE_H
#define ETMERLIN_REPORT_REFERENCE_TABLE_H

#include "report/ledger.h"
#include "report/table.h"

/* Puts the references that were overwritten or cleared, as they ended; then those that were in
 * place at the end, in the order in which the trace first names their containers, static fields
 * first. The ledger's history has noted references (history_note_references), which can be read
 * once. */
enum status reference_table_write(struct table *table, const struct ledger *ledger,
                                  struct failure *why) MUST_CHECK;

#endif
