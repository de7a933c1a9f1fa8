/* SPDX-License-Identifier: MIT */
/* Follows a plan: allocates each object, writes a pattern, checks it, and frees the object. */
#ifndef ETMERLIN_REPLAY_RUN_H
#define ETMERLIN_REPLAY_RUN_H

#include "replay/plan.h"

#include <stdbool.h>

/* A moment of the replay. */
struct sample {
    uint64_t allocations; /* so far */
    uint64_t live;        /* bytes that are allocated */
    uint64_t resident;    /* resident bytes more than when the replay began */
};

struct run_options {
    /* There is a thread for each thread of the oracle; else one thread takes the order of the
     * file. */
    bool threads;
    size_t samples; /* how many to take, spaced evenly over the allocations; 0: none */
    uint64_t limit; /* bytes that the allocator may get; 0: any number */
};

struct run_figures {
    uint64_t frees;
    uint64_t nanoseconds;
    uint64_t peak_resident; /* bytes, as in struct sample */
    bool has_peak;          /* it is known: the reading of the oracle needs memory, too */
    struct sample *samples; /* the caller frees it */
    size_t sample_count;
};

/* Replays the plan against the allocator that this program runs with, and sets *figures, after
 * a failure as far as they are known. `name`: that of the oracle, for messages. STATUS_LIMIT:
 * the allocator has no memory. STATUS_MEANING: the pattern of an object changed while it was
 * alive. */
enum status run_plan(const struct replay_plan *plan, const char *name,
                     const struct run_options *options, struct run_figures *figures,
                     struct failure *why) MUST_CHECK;

#endif
