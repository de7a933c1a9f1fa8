/* SPDX-License-Identifier: MIT */
/* The live heap over time: a walk over its changes. An object is alive from its allocation
 * until the boundary at which it dies, or, if it was there before the trace, from the beginning
 * on. */
#ifndef ETMERLIN_REPORT_LIVES_LIVE_H
#define ETMERLIN_REPORT_LIVES_LIVE_H

#include "merlin/lives/lives.h"

/* The heap after allocations, and before the deaths of the boundary that follows them; or after
 * these deaths. */
struct live_point {
    uint64_t tick;    /* of that boundary */
    uint64_t time;    /* of that tick */
    uint64_t passed;  /* the latest tick whose deaths are behind: `tick`, or the one before */
    uint64_t born;    /* allocations so far */
    uint64_t bytes;   /* of these */
    uint64_t objects; /* that live */
    uint64_t size;    /* of these, bytes */
    /* Since the point before, one of them: */
    uint64_t allocated; /* objects */
    uint64_t died;      /* objects */
};

/* The heap when most objects lived, and when most bytes did, for the first time: after the last
 * allocation of a tick, or before the first of all. */
struct live_peaks {
    struct live_point most_objects;
    struct live_point most_bytes;
};

/* Functions that a walk calls for what it passes; each may be NULL. */
struct live_observer {
    void (*born)(void *context, const struct birth_facts *birth);
    void (*died)(void *context, const struct life_facts *life);
    void *context;
};

/* Where a walk is. */
struct live_walk {
    struct live_ahead *ahead;
    struct live_observer observer; /* to be set before live_next; zero: nobody */
    struct live_point point;       /* the latest */
    bool has_begun;
    enum status status; /* of reading lives */
};

/* Starts before the first boundary, with the prior objects (trace/record.h) in the heap.
 * `stream` must stay, as must *why. live_end releases what the walk holds, also after a
 * failure. */
enum status live_start(struct live_walk *walk, const struct life_stream *stream,
                       struct failure *why) MUST_CHECK;
void live_end(struct live_walk *walk);

/* First, if there are prior objects, stops at tick 0 with these alone. Then goes on to the next
 * point: past all allocations before the next death, or before the next boundary, or past the
 * deaths that come before the next allocation, or at the next boundary. What follows the last
 * boundary (allocations, and with AT_END_DIE deaths) has the tick of that boundary. An object
 * whose recorded death comes before the boundary after its birth dies before the next
 * allocation. False: there is no more, or walk->status is a failure. */
bool live_next(struct live_walk *walk);

/* Finds the peaks by a walk over `stream`. */
enum status live_find_peaks(struct live_peaks *peaks, const struct life_stream *stream,
                            struct failure *why) MUST_CHECK;

/* Whether an object is alive after the first `born` allocations and the deaths of tick
 * `passed`, at a moment before the next tick. */
bool live_heap_has(const struct life_facts *life, uint64_t passed, uint64_t born);

/* The most bytes that are allocated between two boundaries that follow each other, also before
 * the first and after the last one: what dies there counts as alive until the second one.
 * Zero-initialize it. */
struct longest_tick {
    uint64_t tick;  /* of the latest allocation */
    uint64_t bytes; /* allocated in it */
    uint64_t most;  /* in a tick; at most UINT64_MAX */
};

/* Adds an allocation in `tick`, which is not before that of the one before. Objects that were
 * there before the trace are no allocations. */
static inline void longest_tick_add(struct longest_tick *longest, uint64_t tick, uint64_t size)
{
    if (tick != longest->tick) {
        longest->tick = tick;
        longest->bytes = 0;
    }
    if (__builtin_add_overflow(longest->bytes, size, &longest->bytes))
        longest->bytes = UINT64_MAX;
    if (longest->bytes > longest->most)
        longest->most = longest->bytes;
}

/* Finds the most bytes that are allocated between two boundaries, by a walk over the births of
 * `stream`. Fails as births_visit does. */
enum status longest_tick_find(uint64_t *bytes, const struct life_stream *stream,
                              struct failure *why) MUST_CHECK;

#endif
