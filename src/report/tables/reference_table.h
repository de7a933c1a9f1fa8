/* SPDX-License-Identifier: MIT */
/* The report of --references: a row a reference. First come those that were overwritten or
 * cleared, as they ended; then those that were in place at the end, in the order in which the
 * trace first names their containers, static fields first. */
#ifndef ETMERLIN_REPORT_TABLES_REFERENCE_TABLE_H
#define ETMERLIN_REPORT_TABLES_REFERENCE_TABLE_H

#include "report/report.h"

/* See struct report_class. */
enum status reference_table_finish(struct report *report, struct failure *why) MUST_CHECK;

#endif
