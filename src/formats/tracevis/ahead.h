/* SPDX-License-Identifier: MIT */
/* The events of a TraceVis trace, with what only later events show: which object an id means,
 * the class of an object whose methods are called before its OA, and the thread that allocates
 * (etmerlin-formats(5), "Gaps"). */
#ifndef ETMERLIN_FORMATS_TRACEVIS_AHEAD_H
#define ETMERLIN_FORMATS_TRACEVIS_AHEAD_H

#include "formats/tracevis/event.h"
#include "formats/tracevis/text.h"

/* How many events ahead of an event are looked at for its sake. */
enum { EVENTS_AHEAD = 16 * 1024 };

/* What was odd about objects. */
struct object_counts {
    uint64_t unallocated;  /* objects that have no OA: they begin at their first call */
    uint64_t repeated;     /* OA of an object that is there already: a new object */
    uint64_t used_freed;   /* calls of methods of a freed object: a new object */
    uint64_t unknown_free; /* OF of an object that is not there: of no effect */
};

struct ahead;

/* Takes over reading from `text`, which must outlive *out. The caller owns *out (ahead_close).
 */
enum status ahead_open(struct ahead **out, struct tracevis_text *text,
                       struct failure *why) MUST_CHECK;

/* Sets *event to the next event; it is good until the next call. Returns what
 * tracevis_text_next returns, after the events that were read before. */
enum status ahead_next(struct ahead *ahead, const struct tv_event **event,
                       struct failure *why) MUST_CHECK;

/* What was met among the events that have been read. */
const struct object_counts *ahead_counts(const struct ahead *ahead);

/* Starts again at the first event. */
void ahead_rewind(struct ahead *ahead);

/* NULL is allowed. */
void ahead_close(struct ahead *ahead);

#endif
