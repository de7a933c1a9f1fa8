/* SPDX-License-Identifier: MIT */
/* The report of --oracle: what is allocated, and when to free it, for replays against an
 * allocator (etmerlin-reports(5)). It has a row for each allocation and free, in the order of
 * the trace, with the columns that memory simulators built on gem5 read; or it has a row for
 * each allocation, with the number of the allocation before which the object is freed, counted
 * in all or by thread.
 *
 * Objects are freed when they die or, if the settings say so, after their last use. The events
 * of the trace that oracles need are its allocations, boundaries and recorded deaths, in their
 * order. They are listed in a temporary file while the trace is read, so that it need not be
 * read again. */
#ifndef ETMERLIN_REPORT_ORACLE_ORACLE_H
#define ETMERLIN_REPORT_ORACLE_ORACLE_H

#include "base/map.h"
#include "io/temporary/numbers.h"
#include "io/temporary/row_sort.h"
#include "io/temporary/spool.h"
#include "report/java_name.h"
#include "report/report.h"
#include "trace/batch.h"

enum event_kind {
    EVENT_ALLOCATION, /* not of prior objects (trace/record.h) */
    EVENT_BOUNDARY,   /* the clock ticks: the first one ends tick 0 */
    EVENT_DEATH       /* recorded */
};

struct listed_event {
    enum event_kind kind;
    uint64_t records; /* of the trace that come before, deaths not counted */
    uint64_t deaths;  /* recorded ones that come before */
    uint64_t thread;  /* id, of its record; meaningless if records have none */
};

/* The events that oracles need. Who has the list opens its numbers, finishes them after the
 * last record, and closes them. */
struct event_list {
    struct number_list *numbers;
    uint64_t count;           /* of events */
    uint64_t records;         /* of the trace so far, deaths not counted */
    struct listed_event last; /* the last event */
};

/* Appends the events of the next records of the trace. */
enum status event_list_add(struct event_list *list, const struct batch *batch,
                           struct failure *why) MUST_CHECK;

/* A position in a list that is finished. Who has it opens a cursor over the list's numbers,
 * sets `left` to the count of events, and closes the cursor. */
struct event_cursor {
    struct number_cursor *numbers;
    uint64_t left;
    struct listed_event last;
};

/* Sets *event to the next one. STATUS_END: there is none. */
enum status event_cursor_next(struct event_cursor *cursor, struct listed_event *event,
                              struct failure *why) MUST_CHECK;

/* The state of the report. */
struct oracle {
    const struct report_material *material;
    struct table *table;
    struct event_list events; /* of the trace; not open: not needed */
    struct event_cursor next_event;
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
