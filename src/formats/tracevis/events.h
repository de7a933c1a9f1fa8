/* SPDX-License-Identifier: MIT */
/* The three stages between the bytes of a TraceVis trace and its records (etmerlin-formats(5),
 * TRACEVIS): the text, bare or in a ZIP archive, event by event; the events, completed by what
 * only later events show; and what happens, step by step, without gaps. */
#ifndef ETMERLIN_FORMATS_TRACEVIS_EVENTS_H
#define ETMERLIN_FORMATS_TRACEVIS_EVENTS_H

#include "io/source.h"
#include "trace/batch.h"
#include "trace/names.h"
#include "trace/reader.h"

#include <stdbool.h>
#include <stddef.h>
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

enum { EVENT_NAME_LENGTH = 2 };

/* An event. Fields that its kind does not have are 0. */
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

    /* Set by the second stage. */
    uint64_t serial; /* of the object: from 1, in the order in which objects begin; 0: none */
    bool begins;     /* the object is seen for the first time */
    bool renews;     /* `begins` is set, and the id meant another object before */
    bool frees;      /* the object exists, and ends */
    bool has_thread;
};

/* Adds a comment line, '# ' and `text`, to the text of the batch. */
enum status comment_add(struct batch *batch, const char *text, struct failure *why) MUST_CHECK;

/* Adds `before`, at most two bytes, and the line of an event, or the first two letters of an
 * unknown one, to the text of the batch; `names` has the names of its type and method. */
enum status comment_add_line(struct batch *batch, const char *before,
                             const struct tv_event *event, const struct names *names,
                             struct failure *why) MUST_CHECK;

/* The first stage: the text. */

struct tracevis_text;

/* See reader_class.bid: how certain it is, from 0 to 100, that input that begins with the
 * `length` bytes at `head` is such a trace. */
int tracevis_bid(const char *head, size_t length);

/* Opens the trace in `source`, which must outlive *out. With `lenient` malformed lines become
 * events of their own; else they are failures. The caller owns *out (tracevis_text_close). */
enum status tracevis_text_open(struct tracevis_text **out, struct source *source, bool lenient,
                               struct failure *why) MUST_CHECK;

/* The name for messages: that of the file, or ARCHIVE(trace). */
const char *tracevis_text_name(const struct tracevis_text *text);

/* Sets *event to the next event, in which the members that the second stage sets are 0.
 * STATUS_END: there are no more events. STATUS_SYNTAX: the line that *why names is malformed.
 */
enum status tracevis_text_next(struct tracevis_text *text, struct tv_event *event,
                               struct failure *why) MUST_CHECK;

/* The names of the types and methods of all events so far. */
const struct names *tracevis_text_names(const struct tracevis_text *text);

/* Whether the latest line has no line end. */
bool tracevis_text_is_open(const struct tracevis_text *text);

/* Whether the compressed data end too early; then a last line without a line end is left out.
 */
bool tracevis_text_is_cut(const struct tracevis_text *text);

/* Records in *why (STATUS_SYNTAX) what is wrong with line `line` if it is the first malformed
 * one, or else only that it is malformed. */
enum status tracevis_text_explain(const struct tracevis_text *text, uint64_t line,
                                  struct failure *why);

/* A digest of all bytes read since the text was opened or rewound. */
uint64_t tracevis_text_digest(const struct tracevis_text *text);

/* Starts again at the first line. Types and methods keep their numbers. */
void tracevis_text_rewind(struct tracevis_text *text);

/* NULL is allowed. */
void tracevis_text_close(struct tracevis_text *text);

/* The second stage: the events, completed by what only later events show: which object an id
 * means, the class of an object whose methods are called before its OA, and the thread that
 * allocates (etmerlin-formats(5), "Gaps"). */

/* How many events after an event are read to complete it. */
enum { EVENTS_AHEAD = 16 * 1024 };

/* Counts of irregular events about objects. */
struct object_counts {
    uint64_t unallocated;  /* objects that have no OA: they begin at their first call */
    uint64_t repeated;     /* OA of an object that exists already: it begins a new object */
    uint64_t used_freed;   /* calls of methods of a freed object: they begin a new object */
    uint64_t unknown_free; /* OF of an object that does not exist: it has no effect */
};

struct ahead;

/* Reads from `text`, which nothing else may read and which must outlive *out. The caller owns
 * *out (ahead_close). */
enum status ahead_open(struct ahead **out, struct tracevis_text *text,
                       struct failure *why) MUST_CHECK;

/* Sets *event to the next event, which is good until the next call. Returns the status of
 * tracevis_text_next, if that is not STATUS_OK only after the events that were read before. */
enum status ahead_next(struct ahead *ahead, const struct tv_event **event,
                       struct failure *why) MUST_CHECK;

/* The counts of the events that have been read so far. */
const struct object_counts *ahead_counts(const struct ahead *ahead);

/* Starts again at the first event. */
void ahead_rewind(struct ahead *ahead);

/* NULL is allowed. */
void ahead_close(struct ahead *ahead);

/* The third stage: what happens, step by step, without the gaps of the trace: each object
 * begins before it is used, and each exit leaves a frame that is open (etmerlin-formats(5),
 * "Gaps"). */

enum step_kind {
    STEP_NOTE,     /* an event that is none of the others, or only causes them: see `event` */
    STEP_ALLOCATE, /* object, type, thread and, if a method is open in it, site */
    STEP_ENTER,    /* the thread enters method, with object as its receiver (0: none) */
    STEP_LEAVE,    /* the frame of a STEP_ENTER is left */
    STEP_THROW,    /* an exception leaves such a frame */
    STEP_ABANDON, /* such a frame is gone since an unknown moment, for an outer frame is left */
    STEP_UNWIND,  /* such a frame is open at the end of the trace */
    STEP_FREE     /* the collector frees object */
};

/* A step. Fields that its kind does not have are unspecified. */
struct step {
    enum step_kind kind;
    const struct tv_event *event; /* that it comes from, good until the next call */
    int64_t time;
    uint64_t thread;
    /* Its id; 0 for a frame whose receiver has lost its id to another object. */
    uint64_t object;
    uint64_t serial; /* of the object: from 1, in the order in which objects begin; 0: none */
    uint64_t type;
    uint64_t method;
    uint64_t site; /* a method; 0: none */
    bool constructor;
};

struct steps;

/* Reads the trace that `source` holds, which must outlive *out. `lenient`: malformed lines are
 * notes, not failures. The caller owns *out (steps_close). */
enum status steps_open(struct steps **out, struct source *source, bool lenient,
                       struct failure *why) MUST_CHECK;

/* Sets *step to the next step. At the end of a trace without the end of the virtual machine,
 * all open frames are unwound first. STATUS_END: there are no more steps. STATUS_SYNTAX: the
 * line that *why names is malformed. */
enum status steps_next(struct steps *steps, struct step *step, struct failure *why) MUST_CHECK;

/* The text of the trace, whose lines only `steps` may read. */
const struct tracevis_text *steps_text(const struct steps *steps);

/* After the end has been reached: why the trace is unfinished, as in reader->unfinished; NULL:
 * it is not. */
const char *steps_unfinished(const struct steps *steps);

/* Remarks about the steps since the start, complete once the end has been reached: see
 * reader_remarks. */
const struct remark *steps_remarks(struct steps *steps, size_t *count);

/* Starts again at the first step. */
void steps_rewind(struct steps *steps);

/* NULL is allowed. */
void steps_close(struct steps *steps);

#endif
