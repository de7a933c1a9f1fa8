/* SPDX-License-Identifier: MIT */
/* The report of --oracle: what is allocated, and when to free it, for replays against an
 * allocator (etmerlin-reports(5)). It has a row for each allocation and free, in the order of
 * the trace, with the columns that memory simulators built on gem5 read; or it has a row for
 * each allocation, with the number of the allocation before which the object is freed, counted
 * in all or by thread.
 *
 * Objects are freed when they die or, if the settings say so, after their last use. */
#ifndef ETMERLIN_REPORT_ORACLE_ORACLE_H
#define ETMERLIN_REPORT_ORACLE_ORACLE_H

#include "base/map.h"
#include "io/temporary/row_sort.h"
#include "report/java_name.h"
#include "report/oracle/event_list.h"
#include "report/report.h"

/* The state of the report. */
struct oracle {
    const struct report_material *material;
    struct table *table;
    struct event_list *events; /* of the trace; NULL: not needed */
    struct event_cursor *next_event;
    /* Frees to be sorted; NULL: lives already come in the order of frees. */
    struct row_sort *frees;
    /* For oracles with a row for each allocation: */
    bool by_thread; /* allocations are numbered by thread */
    bool by_use;
    struct map all;  /* thread -> its allocations */
    struct map made; /* thread -> its allocations so far; later its rows so far */
    uint64_t tick;   /* boundaries so far */
    uint64_t thread; /* of the last boundary */
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

/* To be called after the last event: opens a cursor over them. */
enum status oracle_start_events(struct oracle *oracle, struct failure *why) MUST_CHECK;

#endif
