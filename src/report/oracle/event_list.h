/* SPDX-License-Identifier: MIT */
/* The events of a trace that oracles need: its allocations, boundaries and recorded deaths, in
 * their order. They are listed in a temporary file while the trace is read, so that it need not
 * be read again. */
#ifndef ETMERLIN_REPORT_ORACLE_EVENT_LIST_H
#define ETMERLIN_REPORT_ORACLE_EVENT_LIST_H

#include "io/temporary/spool.h"
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

#endif
