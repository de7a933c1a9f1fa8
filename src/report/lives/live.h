/* SPDX-License-Identifier: MIT */
/* The live heap over time: a walk over the boundaries at which it changes. */
#ifndef ETMERLIN_REPORT_LIVES_LIVE_H
#define ETMERLIN_REPORT_LIVES_LIVE_H

#include "merlin/lives.h"

/* The heap just after the deaths of a boundary. */
struct live_point {
    uint64_t tick;    /* of the boundary */
    uint64_t time;    /* of that tick */
    uint64_t bytes;   /* allocated so far */
    uint64_t objects; /* that live */
    uint64_t size;    /* of these, bytes */
    /* Since the boundary before: */
    uint64_t allocated; /* objects */
    uint64_t died;      /* objects, at this boundary */
};

/* The heap when most objects lived, and when most bytes did, for the first time. */
struct live_peaks {
    struct live_point most_objects;
    struct live_point most_bytes;
    /* Allocations before these. */
    uint64_t born_at_most_objects;
    uint64_t born_at_peak; /* of bytes */
};

/* Functions that a walk calls for what it passes; each may be NULL. */
struct live_watch {
    void (*born)(void *context, const struct birth_facts *birth);
    void (*died)(void *context, const struct life_facts *life);
    void *context;
};

/* Where a walk is. */
struct live_walk {
    struct live_ahead *ahead;
    struct live_watch watch; /* to be set before live_next; zero: nobody */
    struct live_point point; /* the latest */
    bool has_begun;
    uint64_t born;      /* births passed */
    enum status status; /* of reading lives */
};

/* Starts before the first boundary, with the prior objects (trace/record.h) in the heap.
 * `stream` must stay, as must *why. live_end releases what the walk holds, also after a
 * failure. */
enum status live_start(struct live_walk *walk, const struct life_stream *stream,
                       struct failure *why) MUST_CHECK;
void live_end(struct live_walk *walk);

/* First, if there are prior objects, stops at tick 0 with these alone. Then goes on to the next
 * boundary at which an object died or before which one was allocated since
 * the boundary before: walk->point. What follows the last boundary (allocations, and with
 * AT_END_DIE deaths) is a point of its own, with the tick of that boundary. False: there is no
 * more, or walk->status is a failure. */
bool live_next(struct live_walk *walk);

/* Finds the peaks by a walk from its start to its end. */
void live_walk_peaks(struct live_peaks *peaks, struct live_walk *walk);

#endif
