/* SPDX-License-Identifier: MIT */
/* The events of --oracle made of stored lives: the rows are those of oracle.h. */
#ifndef ETMERLIN_REPORT_LIVES_ORACLE_EVENTS_H
#define ETMERLIN_REPORT_LIVES_ORACLE_EVENTS_H

#include "report/report.h"

/* See struct report_class, and oracle.h. */
enum status oracle_stored_begin_deaths(struct report *report, struct failure *why) MUST_CHECK;
enum status oracle_stored_allocated(struct report *report, const struct record *record,
                                    uint64_t line, uint64_t event,
                                    struct failure *why) MUST_CHECK;
enum status oracle_stored_died(struct report *report, const struct record *death, node_t node,
                               uint64_t event, struct failure *why) MUST_CHECK;

/* The same with --oracle-free=last-use. */
enum status oracle_stored_begin_uses(struct report *report, struct failure *why) MUST_CHECK;
enum status oracle_stored_use_ended(struct report *report, const struct life_facts *life,
                                    struct failure *why) MUST_CHECK;
enum status oracle_stored_use_allocated(struct report *report, const struct record *record,
                                        uint64_t line, uint64_t event,
                                        struct failure *why) MUST_CHECK;
enum status oracle_stored_use_died(struct report *report, const struct record *death,
                                   node_t node, uint64_t event, struct failure *why) MUST_CHECK;
enum status oracle_stored_use_finish(struct report *report, struct failure *why) MUST_CHECK;

void oracle_events_release(struct report *report);

#endif
