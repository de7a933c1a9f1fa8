/* SPDX-License-Identifier: MIT */
/* The report of --oracle-form=threads: as objects, with the allocations of each thread counted
 * by themselves (etmerlin(1), "Oracles"). */
#ifndef ETMERLIN_REPORT_LIVES_ORACLE_THREADS_H
#define ETMERLIN_REPORT_LIVES_ORACLE_THREADS_H

#include "report/report.h"

/* See struct report_class. */
enum status oracle_threads_begin(struct report *report, struct failure *why) MUST_CHECK;
enum status oracle_threads_allocated(struct report *report, const struct record *record,
                                     uint64_t line, uint64_t event,
                                     struct failure *why) MUST_CHECK;
void oracle_threads_boundary(struct report *report, const struct record *boundary);
enum status oracle_threads_finish(struct report *report, struct failure *why) MUST_CHECK;
void oracle_threads_release(struct report *report);

/* Begins the table. */
void oracle_threads_head(struct table *table);

#endif
