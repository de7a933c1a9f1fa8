/* SPDX-License-Identifier: MIT */
/* One event of a TraceVis trace: the contents of its line, and what other lines add. */
#ifndef ETMERLIN_FORMATS_TRACEVIS_EVENT_H
#define ETMERLIN_FORMATS_TRACEVIS_EVENT_H

#include "trace/batch.h"
#include "trace/names.h"

#include <stdbool.h>
#include <stdint.h>

enum tv_event_kind {
    EVENT_VM_STARTED,     /* VS */
    EVENT_VM_INITIALISED, /* VI */
    EVENT_VM_ENDED,       /* VD */
    EVENT_CLASS_LOADED,   /* CL */
    EVENT_ALLOCATED,      /* OA */
    EVENT_FREED,          /* OF */
    EVENT_THREAD_BEGINS,  /* TB */
    EVENT_THREAD_ENDS,    /* TE */
    EVENT_ENTERED,        /* MN */
    EVENT_LEFT,           /* MX */
    EVENT_POPPED,         /* FP */
    EVENT_KINDS,
    /* Lines that are no events. */
    EVENT_UNKNOWN = EVENT_KINDS, /* two letters that are no event of the format */
    EVENT_BLANK,
    EVENT_MALFORMED
};

/* What is in a field. */
enum event_field {
    FIELD_TIME = 't',
    FIELD_THREAD = 'h',
    FIELD_TYPE = 'c',
    FIELD_METHOD = 'm', /* its class is the field before it */
    FIELD_OBJECT = 'o',
    FIELD_RECEIVER = 'r' /* an object, or 0 */
};

enum { EVENT_NAME_LENGTH = 2, EVENT_FIELDS_MAX = 5 };

/* How an event is written: its name, and the contents of the fields after it. */
struct tv_event_format {
    char name[EVENT_NAME_LENGTH + 1];
    char fields[EVENT_FIELDS_MAX + 1];
};

/* How an event of this kind, below EVENT_KINDS, is written. */
const struct tv_event_format *tv_event_format(enum tv_event_kind kind);

/* An event. Its format says which fields a kind has; the others are 0. */
struct tv_event {
    enum tv_event_kind kind;
    uint64_t line;   /* from 1 */
    int64_t time;    /* of a line that is no event, that of the event before */
    uint64_t thread; /* OA: that of the first call of a method of the object, if has_thread */
    uint64_t object; /* MN: the receiver; 0: none */
    uint64_t type; /* the number of the class; of a method's event that of the method, or of the
                      object if only an OA after the call shows it */
    uint64_t method;                 /* the number of the class and method */
    bool constructor;                /* the method is one */
    char letters[EVENT_NAME_LENGTH]; /* of EVENT_UNKNOWN: its first two */

    /* Set by tracevis/ahead.h. */
    uint64_t serial; /* of the object: from 1, in the order in which objects begin; 0: none */
    bool begins;     /* the object is seen for the first time */
    bool renews;     /* `begins` is set, and the id meant another object before */
    bool frees;      /* the object exists, and ends */
    bool has_thread;
};

/* Adds a comment line, '# ' and `text`, to the text of the batch. */
enum status comment_add(struct batch *batch, const char *text, struct failure *why) MUST_CHECK;

/* Adds the line of an event, or the first two letters of an unknown one, to the text of the
 * batch; `names` has the names of its type and method. */
enum status comment_add_line(struct batch *batch, const struct tv_event *event,
                             const struct names *names, struct failure *why) MUST_CHECK;

/* As comment_add_line, but the line is a comment. */
enum status comment_add_event(struct batch *batch, const struct tv_event *event,
                              const struct names *names, struct failure *why) MUST_CHECK;

#endif
