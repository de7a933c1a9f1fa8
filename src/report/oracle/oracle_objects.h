/* SPDX-License-Identifier: MIT */
/* The reports of --oracle-form=objects and threads: a row an allocation, with the number of the
 * allocation at which it may be freed, among all or among those of a thread
 * (etmerlin-reports(5), "Oracles"). */
#ifndef ETMERLIN_REPORT_ORACLE_ORACLE_OBJECTS_H
#define ETMERLIN_REPORT_ORACLE_ORACLE_OBJECTS_H

#include "report/report.h"

/* See struct report_class. */
enum status oracle_objects_begin(struct report *report, struct failure *why) MUST_CHECK;
enum status oracle_objects_finish(struct report *report, struct failure *why) MUST_CHECK;

#endif
