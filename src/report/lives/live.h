/* SPDX-License-Identifier: MIT */
/* The live heap over time: a walk over the boundaries at which it changes. */
#ifndef ETMERLIN_REPORT_LIVES_LIVE_H
#define ETMERLIN_REPORT_LIVES_LIVE_H

#include "merlin/stored_lives.h"
#include "report/lives/lives.h"

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
    size_t born_at_peak; /* allocations before most bytes live */
};

/* Where a walk is. */
struct live_walk {
    const struct lives *lives;
    struct live_stored *stored; /* lives == NULL: where it is in these; else NULL */
    struct live_point point;    /* the latest */
    size_t born;                /* allocations passed */
    size_t died;                /* deaths passed */
    enum status status;         /* of reading stored lives */
};

/* Starts in front of the first boundary, with an empty heap. */
void live_start(struct live_walk *walk, const struct lives *lives);

/* The same of stored lives, whose survivors die at the end if `at_end` says so; both must stay,
 * as must *why. live_end releases what the walk holds, also after a failure. */
enum status live_start_stored(struct live_walk *walk, const struct stored_lives *lives,
                              enum at_end at_end, struct failure *why) MUST_CHECK;
void live_end(struct live_walk *walk);

/* Goes on to the next boundary at which an object died or before which one was allocated since
 * the boundary before: walk->point. What follows the last boundary (allocations, and with
 * AT_END_DIE deaths) is a point of its own, with the tick of that boundary. False: there is no
 * more, or walk->status is a failure. */
bool live_next(struct live_walk *walk);

void live_find_peaks(struct live_peaks *peaks, const struct lives *lives);

/* Finds them by a walk from its start to its end. */
void live_walk_peaks(struct live_peaks *peaks, struct live_walk *walk);

#endif
