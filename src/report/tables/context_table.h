/* SPDX-License-Identifier: MIT */
/* The table of --contexts. */
#ifndef ETMERLIN_REPORT_TABLES_CONTEXT_TABLE_H
#define ETMERLIN_REPORT_TABLES_CONTEXT_TABLE_H

#include "report/report.h"

/* See struct report_class. */
enum status contexts_begin(struct report *report, struct failure *why) MUST_CHECK;
enum status contexts_finish(struct report *report, struct failure *why) MUST_CHECK;

#endif
