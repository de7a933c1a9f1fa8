/* SPDX-License-Identifier: MIT */
/* Pass 1 of Merlin: the heap as the records of a trace change it, and the tick of the last use
 * of each object (etmerlin-deaths(7)). Nothing else is kept here. Recorders, which keep more,
 * look at the events. */
#ifndef ETMERLIN_MERLIN_APPLY_H
#define ETMERLIN_MERLIN_APPLY_H

#include "base/status.h"
#include "heap/heap.h"
#include "merlin/clock.h"
#include "merlin/events.h"
#include "merlin/propagation.h"
#include "trace/batch.h"
#include "trace/record.h"

/* What an open frame holds (etmerlin-deaths(7)). */
enum held_by { HELD_BY_RECEIVER, HELD_BY_NONE, HELD_BY_FRAME };

/* What pass 1 has counted. */
struct trace_counts {
    uint64_t records[RECORD_KINDS]; /* by letter */
    uint64_t comments;
    uint64_t unknown;
    uint64_t malformed;
    struct reference_counts references;
    uint64_t adopted;         /* allocations of ids that had been named before */
    uint64_t repeated;        /* allocations of ids that were allocated already */
    uint64_t unmatched_exits; /* of methods that were not open */
    uint64_t unwound_frames;  /* abandoned: popped by the exit of an outer method */
};

/* Counts an allocation of an id that had been named before. */
static inline void trace_counts_allocation(struct trace_counts *counts, enum allocation how)
{
    counts->adopted += how == ALLOCATION_ADOPTED;
    counts->repeated += how == ALLOCATION_REPEATED;
}

/* Counts the lines of a batch that are no records. */
static inline void trace_counts_lines(struct trace_counts *counts, const struct batch *batch)
{
    counts->comments += batch->comments;
    counts->unknown += batch->unknown;
    counts->malformed += batch->malformed;
    reference_counts_join(&counts->references, &batch->references);
}

/* Pass 1, as far as it has come (pass.h). */
struct pass {
    struct heap heap;
    struct clock clock;
    struct trace_counts counts;
    uint64_t record; /* how many there have been, deaths not counted */
    enum held_by held_by;
    bool explicit_time; /* boundaries have explicit times, and records no threads */
    bool ticks_by_time; /* a tick is the time of a record, deaths included: for traces without
                           boundaries */
    struct latest_thread thread; /* a thread of heap.frames */

    /* For records that an earlier reading has prepared (windows/). */
    bool counts_frames; /* the `method` of an E or X is the number of frames that it pops; 0:
                           the method was not open */
    uint64_t abandoned; /* the number of the next M record whose frame is abandoned; 0: there is
                           none */

    struct recorders *recorders; /* owned; NULL: nothing more is recorded */

    const struct interrupt *interrupt;    /* of computations on it; NULL: none */
    struct propagation_progress progress; /* of these computations */
};

/* Applies the records of `batch` from number `first` up to `end`, and counts them. Death
 * records have no effect. Unless `events` is NULL, sets *events to what happened. */
enum status apply(struct pass *pass, const struct batch *batch, size_t first, size_t end,
                  struct seen_events *events, struct failure *why) MUST_CHECK;

#endif
