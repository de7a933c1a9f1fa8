/* SPDX-License-Identifier: MIT */
/* Allocation events: what the lifetime formats (HATF and Meta-TF) contain of a trace. Their
 * writers use this to make events of records, and their readers to make batches of records of
 * events; each reader decodes single records of its format. */
#ifndef ETMERLIN_FORMATS_LIFETIMES_EVENTS_H
#define ETMERLIN_FORMATS_LIFETIMES_EVENTS_H

#include "base/digest.h"
#include "base/map.h"
#include "base/status.h"
#include "io/window.h"
#include "trace/reader.h"
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

struct event_reader;

/* The position of a record in the file, and its event if it is an alloc or a free. */
struct decoded {
    uint64_t offset;
    bool is_event;
    bool is_comment;
    bool is_cut_off; /* with a failure: the file ends within the record */
    struct lifetime_event event;
};

struct lifetime_format {
    size_t longest; /* bytes that must be in view to decode any record */
    /* Starts again at the first record. */
    void (*begin)(struct event_reader *reader);
    /* Takes the next record from `load`, which is not empty and has `longest` bytes or all that
     * are left. Sets *decoded, whose members except the offset are zero before. */
    enum status (*decode)(struct event_reader *reader, struct load *load,
                          struct decoded *decoded, struct failure *why);
    /* Called at the end of the file, which is at `offset`: fails if the file may not end there.
     * NULL: it may end after any record. */
    enum status (*end)(const struct event_reader *reader, uint64_t offset, struct failure *why);
};

enum event_remark {
    REMARK_ALLOCATED_ALIVE,
    REMARK_FREED_DEAD,
    REMARK_BACKWARD,
    REMARK_GUESS,
    REMARK_UNFINISHED,
    EVENT_REMARKS
};

/* The first member of each such reader. */
struct event_reader {
    struct reader base;
    const struct lifetime_format *format;
    const char *guess;  /* a remark on how the file is read; NULL: none */
    const char *advice; /* the end of messages about what cannot be read; NULL: none */
    struct window window;
    XXH3_state_t *digest;
    bool any_order;      /* time may go backwards */
    uint64_t last_time;  /* the latest of the events so far */
    struct map is_alive; /* by address */
    struct remark remarks[EVENT_REMARKS];
};

/* Initializes *reader, which is the first member of a struct that calloc returned.
 * The caller owns it (event_reader_close); after a failure it is freed already. */
enum status event_reader_begin(struct event_reader *reader, const struct reader_class *methods,
                               const struct lifetime_format *format, struct source *source,
                               const struct reader_options *options,
                               struct failure *why) MUST_CHECK;

/* The methods of their reader classes. */
enum status event_reader_next(struct reader *reader, struct batch *batch, struct failure *why);
void event_reader_rewind(struct reader *reader);
uint64_t event_reader_digest(const struct reader *reader);
const struct remark *event_reader_remarks(const struct reader *reader, size_t *count);
void event_reader_close(struct reader *reader);

#endif
