/* SPDX-License-Identifier: MIT */
/* A replay of an oracle: first the oracle becomes a plan, in memory, of what to allocate and to
 * free, so that the replay does nothing else; then the plan is run. The number of an object is
 * that of its row, from 0. */
#ifndef ETMERLIN_REPLAY_REPLAY_H
#define ETMERLIN_REPLAY_REPLAY_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct plan_object {
    uint64_t size;     /* bytes */
    uint64_t freed_at; /* the step that frees it */
    uint32_t thread;   /* the thread that allocates it */
    uint32_t freed_by;
};

/* A step is what a thread does at one of its allocations: it frees what may be freed there,
 * then it allocates. The last step of a thread only frees. Steps are numbered thread by thread.
 */
struct replay_plan {
    size_t count;                /* objects */
    struct plan_object *objects; /* in the order of the rows */
    uint64_t first_line;         /* of object 0 in the file; the others follow line by line */
    size_t threads;              /* 0 only if there are no objects */
    uint64_t *thread_ids;        /* those of the oracle; 0 if it has the form objects */
    size_t *first_steps;         /* by thread; then the number of all steps */
    size_t *step_of;             /* by object: the step that allocates it */
    /* By step: the object that it allocates; PLAN_NONE: it is the last of its thread. */
    size_t *allocated;
    size_t *freed; /* objects, in the order of the steps that free them */
    /* By step: where its objects begin in `freed`; then the end of these. */
    size_t *freed_begin;
    void *map; /* the file that holds all of these (plan_map); NULL: they are allocated */
    size_t map_size;
};

#define PLAN_NONE SIZE_MAX

/* Reads the oracle `path` (NULL or "-": standard input), of the form objects or threads. *plan
 * is released by plan_free, also after a failure. STATUS_MEANING: the form is events; a thread
 * does not count its allocations one by one; an object is freed at an allocation that does not
 * exist, or that comes before its own. */
enum status plan_load(struct replay_plan *plan, const char *path,
                      struct failure *why) MUST_CHECK;

/* Writes the plan to `descriptor`, an empty file. */
enum status plan_store(const struct replay_plan *plan, int descriptor,
                       struct failure *why) MUST_CHECK;

/* Sets *plan to the one that plan_store has written to `descriptor`, without memory of the
 * allocator. plan_free releases it. */
enum status plan_map(struct replay_plan *plan, int descriptor, struct failure *why) MUST_CHECK;

/* The most bytes that are allocated at once when the rows are followed in the order of the
 * file. */
uint64_t plan_peak(const struct replay_plan *plan);

/* The bytes of all objects. */
uint64_t plan_bytes(const struct replay_plan *plan);

void plan_free(struct replay_plan *plan);

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

/* The bytes of memory that the machine has available without swapping; 0: unknown. */
uint64_t memory_available(void);

#endif
