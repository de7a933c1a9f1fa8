/* SPDX-License-Identifier: MIT */
/* Allocation events: what the lifetime formats (HATF and Meta-TF) contain of a trace. Their
 * writers use this to make events of records, and their readers to make records of events. */
#ifndef ETMERLIN_FORMATS_LIFETIME_EVENTS_H
#define ETMERLIN_FORMATS_LIFETIME_EVENTS_H

#include "base/map.h"
#include "base/status.h"
#include "trace/record.h"

#include <stdbool.h>
#include <stddef.h>

enum lifetime_event_kind { EVENT_ALLOC, EVENT_FREE, EVENT_CREATE_THREAD, EVENT_DESTROY_THREAD };

/* One event. Fields that its kind does not have are 0. */
struct lifetime_event {
    enum lifetime_event_kind kind;
    uint64_t address; /* alloc, free: the object's id */
    uint64_t thread;  /* all */
    uint64_t time;    /* all: by the logical clock */
    uint64_t size;    /* alloc, bytes */
    uint64_t type;    /* alloc */
    uint64_t site;    /* alloc */
    uint64_t length;  /* alloc, elements */
};

/* The state of the conversion of a trace to events. Zero-initialize it except for explicit_time
 * and deaths_by_position; events_free ends it. */
struct lifetime_events {
    bool explicit_time;      /* records have their own times and no threads */
    bool deaths_by_position; /* the times of recorded deaths are of another clock */
    uint64_t now;            /* the clock */
    uint64_t last;           /* time of the latest event */
    struct map is_known;
    uint64_t *threads; /* in the order of their first records */
    size_t thread_count;
    size_t thread_capacity;
    uint64_t latest; /* the latest thread, if there is one */
};

/* Called with each event that is made. A failure ends the conversion, and is returned. */
typedef enum status lifetime_event_visitor(void *context, const struct lifetime_event *event,
                                           struct failure *why);

/* Makes the events of the next record of the trace: none, one, or two if the record is also the
 * first of its thread, which is then created. STATUS_MEANING: an event would come after one
 * with a later time, because a recorded death, or an alloc of a trace that was read leniently,
 * is out of order; lifetime formats are in the order of time. */
enum status events_add(struct lifetime_events *events, const struct record *record,
                       lifetime_event_visitor *visit, void *context,
                       struct failure *why) MUST_CHECK;

/* Makes the events at the end of the trace, which destroy its threads. */
enum status events_end(const struct lifetime_events *events, lifetime_event_visitor *visit,
                       void *context, struct failure *why) MUST_CHECK;

void events_free(struct lifetime_events *events);

/* The record of an alloc (of an array, if it has a length) or of a free, in a trace with
 * explicit times. */
struct record event_record(const struct lifetime_event *event);

/* The type, site and length of an alloc are one field of data: three numbers of the same width,
 * or 0 bytes when all are 0. */
enum { EVENT_DATA_MAX = 3 * 8 };

/* The least width that type, site and length all fit: 0, 1, 2, 4 or 8 bytes. */
unsigned event_data_width(const struct lifetime_event *event);

/* Writes the data with `width` bytes a number, at least event_data_width; returns the number of
 * bytes. */
size_t event_data_put(const struct lifetime_event *event, unsigned width, bool little_endian,
                      uint8_t data[EVENT_DATA_MAX]);

/* Reads the data into *event. Data of a length that event_data_put does not write are those of
 * another program, and are ignored. */
void event_data_get(struct lifetime_event *event, const uint8_t *data, size_t length,
                    bool little_endian);

#endif
