/* SPDX-License-Identifier: MIT */
/* The report of --oracle-form=objects: a row an allocation, with the number of the allocation
 * at which it may be freed (etmerlin(1), "Oracles"). */
#ifndef ETMERLIN_REPORT_LIVES_ORACLE_OBJECTS_H
#define ETMERLIN_REPORT_LIVES_ORACLE_OBJECTS_H

#include "report/java_name.h"
#include "report/report.h"

/* See struct report_class. */
enum status oracle_objects_begin(struct report *report, struct failure *why) MUST_CHECK;
enum status oracle_objects_allocated(struct report *report, const struct record *record,
                                     uint64_t line, uint64_t event,
                                     struct failure *why) MUST_CHECK;
void oracle_objects_release(struct report *report);

/* Begins the table. */
void oracle_objects_head(struct table *table);

/* Puts the name of a type as Java prints it, or its number, into a row. */
enum status oracle_put_type(struct table *table, const struct names *names, uint64_t type,
                            struct java_name *buffer, struct failure *why) MUST_CHECK;

#endif
