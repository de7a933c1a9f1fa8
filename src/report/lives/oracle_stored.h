/* SPDX-License-Identifier: MIT */
/* The report of --oracle made of stored lives: the rows are those of oracle.h, oracle_objects.h
 * and oracle_threads.h. */
#ifndef ETMERLIN_REPORT_LIVES_ORACLE_STORED_H
#define ETMERLIN_REPORT_LIVES_ORACLE_STORED_H

#include "report/report.h"

/* See struct report_class. Rows of allocations, with the numbers of all or of those of each
 * thread. */
enum status oracle_stored_objects_begin(struct report *report, struct failure *why) MUST_CHECK;
enum status oracle_stored_objects_ended(struct report *report, const struct life_facts *life,
                                        struct failure *why) MUST_CHECK;
enum status oracle_stored_objects_finish(struct report *report, struct failure *why) MUST_CHECK;

enum status oracle_stored_threads_begin(struct report *report, struct failure *why) MUST_CHECK;
enum status oracle_stored_threads_allocated(struct report *report, const struct record *record,
                                            uint64_t line, uint64_t event,
                                            struct failure *why) MUST_CHECK;
void oracle_stored_threads_boundary(struct report *report, const struct record *boundary);
enum status oracle_stored_threads_died(struct report *report, const struct record *death,
                                       node_t node, uint64_t event,
                                       struct failure *why) MUST_CHECK;
enum status oracle_stored_threads_finish(struct report *report, struct failure *why) MUST_CHECK;

void oracle_stored_release(struct report *report);

#endif
