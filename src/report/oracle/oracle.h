/* SPDX-License-Identifier: MIT */
/* The report of --oracle: what is allocated, and when to free it, for replays against an
 * allocator (etmerlin-reports(5)). It has a row for each allocation and free, in the order of
 * the trace, with the columns that memory simulators built on gem5 read; or a row for each
 * allocation, with the number of the one before which it is freed, in all or by thread.
 *
 * Objects are freed when they die or, as settings say, after their last use. */
#ifndef ETMERLIN_REPORT_ORACLE_ORACLE_H
#define ETMERLIN_REPORT_ORACLE_ORACLE_H

#include "base/map.h"
#include "io/row_sort.h"
#include "report/java_name.h"
#include "report/oracle/event_list.h"
#include "report/report.h"

/* An oracle in the making: a report's state. */
struct oracle {
    const struct report_material *material;
    struct table *table;
    struct event_list *events; /* of the trace, with oracle_read; else NULL */
    struct event_cursor *next_event;
    struct row_sort *frees; /* what is freed; NULL: lives come in the order of frees */
    /* Of a row for each allocation: */
    bool by_thread; /* numbers are those of a thread */
    bool by_use;
    struct map all;  /* thread -> allocations of it */
    struct map made; /* thread -> allocations of it so far; then rows so far */
    uint64_t tick;   /* boundaries so far */
    uint64_t thread; /* of the latest one */
    struct java_name name;
};

/* Of struct report_class; with a row for each event. STATUS_MEANING: ids repeat, and objects
 * are not called by numbers. */
enum status oracle_events_begin(struct report *report, struct failure *why) MUST_CHECK;
enum status oracle_events_add_life(struct report *report, const struct life_facts *life,
                                   struct failure *why) MUST_CHECK;
enum status oracle_events_finish(struct report *report, struct failure *why) MUST_CHECK;

/* Of struct report_class; with a row for each allocation. */
enum status oracle_objects_begin(struct report *report, struct failure *why) MUST_CHECK;
enum status oracle_objects_add_life(struct report *report, const struct life_facts *life,
                                    struct failure *why) MUST_CHECK;
enum status oracle_objects_finish(struct report *report, struct failure *why) MUST_CHECK;

/* Sets *out to the state of a report, which it makes if there is none. */
enum status oracle_open(struct report *report, struct oracle **out,
                        struct failure *why) MUST_CHECK;

/* All events have been read: opens the cursor of them. */
enum status oracle_start_events(struct oracle *oracle, struct failure *why) MUST_CHECK;

#endif
