/* SPDX-License-Identifier: MIT */
/* The file of --dhat: version 2 of what Valgrind's DHAT writes and its viewer reads. */
#ifndef ETMERLIN_REPORT_TABLES_DHAT_H
#define ETMERLIN_REPORT_TABLES_DHAT_H

#include "report/report.h"

/* See struct report_class. */
enum status dhat_finish(struct report *report, struct failure *why) MUST_CHECK;

#endif
