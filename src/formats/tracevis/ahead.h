/* SPDX-License-Identifier: MIT */
/* The events of a TraceVis trace, completed by what only later events show: which object an id
 * means, the class of an object whose methods are called before its OA, and the thread that
 * allocates (etmerlin-formats(5), "Gaps"). */
#ifndef ETMERLIN_FORMATS_TRACEVIS_AHEAD_H
#define ETMERLIN_FORMATS_TRACEVIS_AHEAD_H

#include "formats/tracevis/event.h"
#include "formats/tracevis/text.h"

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

#endif
