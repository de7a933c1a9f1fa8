/* SPDX-License-Identifier: MIT */
/* Allocation events: what the lifetime formats (HATF and Meta-TF) hold of a trace. Their
 * writers make events of records here, and their readers records of events. */
#ifndef ETMERLIN_FORMATS_LIFETIME_EVENTS_H
#define ETMERLIN_FORMATS_LIFETIME_EVENTS_H

#include "base/map.h"
#include "base/status.h"
#include "trace/record.h"

#include <stdbool.h>
#include <stddef.h>

enum lifetime_event_kind { EVENT_ALLOC, EVENT_FREE, EVENT_CREATE_THREAD, EVENT_DESTROY_THREAD };

/* One event. Kinds that have not all fields have 0 in the others. */
struct lifetime_event {
    enum lifetime_event_kind kind;
    uint64_t address; /* alloc, free: the object's id */
    uint64_t thread;  /* all */
    uint64_t time;    /* all: the logical clock */
    uint64_t size;    /* alloc, bytes */
    uint64_t type;    /* alloc */
    uint64_t site;    /* alloc */
    uint64_t length;  /* alloc, elements */
};

/* Where a trace that is being turned into events stands. Zero-initialize it but for
 * explicit_time and deaths_by_position; events_free ends it. */
struct lifetime_events {
    bool explicit_time;      /* records carry their own time and have no threads */
    bool deaths_by_position; /* recorded deaths have times of another clock */
    uint64_t now;            /* the clock */
    uint64_t last;           /* time of the latest event */
    struct map is_known;
    uint64_t *threads; /* in the order of their first records */
    size_t thread_count;
    size_t thread_capacity;
    uint64_t latest; /* thread; only if there is one */
};

/* What is given each event that is made. A failure ends the making, and is returned. */
typedef enum status lifetime_event_visitor(void *context, const struct lifetime_event *event,
                                           struct failure *why);

/* Makes the events of the next record of the trace: none, one, or two when it is also the first
 * of its thread, which is created then. STATUS_MEANING: a recorded death stands where its time
 * cannot be, and lifetime formats are in the order of time. */
enum status events_add(struct lifetime_events *events, const struct record *record,
                       lifetime_event_visitor *visit, void *context,
                       struct failure *why) MUST_CHECK;

/* Makes the events at the end of the trace, which end its threads. */
enum status events_end(const struct lifetime_events *events, lifetime_event_visitor *visit,
                       void *context, struct failure *why) MUST_CHECK;

void events_free(struct lifetime_events *events);

/* The record of an alloc (an array's if it has a length) or free, of a trace with explicit
 * times. */
struct record event_record(const struct lifetime_event *event);

/* Type, site and length of an alloc as one field of data: three numbers of one width, and 0
 * bytes when all are 0. */
enum { EVENT_DATA_MAX = 3 * 8 };

/* The least width that type, site and length fit: 0, 1, 2, 4 or 8 bytes. */
unsigned event_data_width(const struct lifetime_event *event);

/* Writes the data with `width` bytes a number, at least event_data_width; returns how many
 * bytes. */
size_t event_data_put(const struct lifetime_event *event, unsigned width, bool little_endian,
                      uint8_t data[EVENT_DATA_MAX]);

/* Reads the data into *event; data of any other length are somebody else's and leave it as it
 * is. */
void event_data_get(struct lifetime_event *event, const uint8_t *data, size_t length,
                    bool little_endian);

#endif
