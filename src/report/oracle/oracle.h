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

/* The events that oracles need. */
struct event_list;

/* Begins an empty list in `temporary` (NULL: see spool_open). The caller owns *out
 * (event_list_close). */
enum status event_list_open(struct event_list **out, const struct temporary_folder *temporary,
                            struct failure *why) MUST_CHECK;

/* Appends the events of the next records of the trace. */
enum status event_list_add(struct event_list *list, const struct batch *batch,
                           struct failure *why) MUST_CHECK;

/* To be called after the last record, before a cursor is opened. */
enum status event_list_finish(struct event_list *list, struct failure *why) MUST_CHECK;

/* The number of records of the trace, deaths not counted. */
uint64_t event_list_records(const struct event_list *list);

/* NULL is allowed. */
void event_list_close(struct event_list *list);

/* A position in the list. */
struct event_cursor;

/* Starts at the first event. `list` must outlive *out, which the caller owns
 * (event_cursor_close). */
enum status event_cursor_open(struct event_cursor **out, const struct event_list *list,
                              struct failure *why) MUST_CHECK;

/* Sets *event to the next one. STATUS_END: there is none. */
enum status event_cursor_next(struct event_cursor *cursor, struct listed_event *event,
                              struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void event_cursor_close(struct event_cursor *cursor);

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
