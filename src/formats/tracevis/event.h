/* SPDX-License-Identifier: MIT */
/* One event of a TraceVis trace: what a line says, and what other lines add to it. */
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
    EVENT_UNKNOWN = EVENT_KINDS, /* two letters that the format does not have */
    EVENT_BLANK,
    EVENT_MALFORMED
};

/* What is in a field. */
enum event_field {
    FIELD_TIME = 't',
    FIELD_THREAD = 'h',
    FIELD_TYPE = 'c',
    FIELD_METHOD = 'm', /* its class stands before it */
    FIELD_OBJECT = 'o',
    FIELD_RECEIVER = 'r' /* an object, or 0 */
};

enum { EVENT_NAME_LENGTH = 2, EVENT_FIELDS_MAX = 5 };

/* How an event is written: its name, and what is in the fields after it. */
struct tv_event_format {
    char name[EVENT_NAME_LENGTH + 1];
    char fields[EVENT_FIELDS_MAX + 1];
};

/* How an event of this kind, below EVENT_KINDS, is written. */
const struct tv_event_format *tv_event_format(enum tv_event_kind kind);

/* The format says which fields a kind has; the others are 0. */
struct tv_event {
    enum tv_event_kind kind;
    uint64_t line;    /* from 1 */
    int64_t time;     /* of a line that is no event: of the one before */
    uint64_t thread;  /* OA: of the first call of a method of the object, if has_thread */
    uint64_t object;  /* MN: the receiver, 0: none */
    uint64_t type;    /* the number of the class; of MN, which has none: that of the object */
    uint64_t method;  /* the number of class and method */
    bool constructor; /* the method is one */
    char letters[EVENT_NAME_LENGTH]; /* of EVENT_UNKNOWN */

    /* What tracevis/ahead.h finds out. */
    uint64_t serial; /* of the object: from 1, in the order in which objects begin; 0: none */
    bool begins;     /* the object is seen for the first time */
    bool renews;     /* `begins`, and its id meant another object before */
    bool frees;      /* the object is there, and goes */
    bool has_thread;
};

/* Adds a line that begins with '#' and goes on with `text` to the text of the batch. */
enum status comment_add(struct batch *batch, const char *text, struct failure *why) MUST_CHECK;

/* Adds the line of an event, of one that is unknown its first two letters; `names` has those of
 * its type and method. */
enum status comment_add_line(struct batch *batch, const struct tv_event *event,
                             const struct names *names, struct failure *why) MUST_CHECK;

/* Adds it as a comment. */
enum status comment_add_event(struct batch *batch, const struct tv_event *event,
                              const struct names *names, struct failure *why) MUST_CHECK;

#endif
