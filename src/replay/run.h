/* SPDX-License-Identifier: MIT */
/* Follows a plan: allocates, writes each object's pattern, checks it, frees. */
#ifndef ETMERLIN_REPLAY_RUN_H
#define ETMERLIN_REPLAY_RUN_H

#include "replay/plan.h"

#include <stdbool.h>

/* A moment of the replay. */
struct sample {
    uint64_t allocations; /* so far */
    uint64_t live;        /* bytes that are allocated */
    uint64_t resident;    /* bytes of memory that came in since the replay began */
};

struct run_options {
    bool threads;   /* a thread for each of the oracle's; else one follows the file */
    size_t samples; /* how many to take, spaced evenly over the allocations; 0: none */
};

struct run_figures {
    uint64_t frees;
    uint64_t nanoseconds;
    uint64_t peak_resident; /* bytes, as in struct sample */
    struct sample *samples; /* the caller frees it */
    size_t sample_count;
};

/* Replays the plan against the allocator that this program runs with, and fills *figures, also
 * partly after a failure. STATUS_LIMIT: the allocator has no memory; STATUS_MEANING: the
 * pattern of an object changed while it was alive. `name` is the oracle's, for messages. */
enum status run_plan(const struct replay_plan *plan, const char *name,
                     const struct run_options *options, struct run_figures *figures,
                     struct failure *why) MUST_CHECK;

#endif
