/* SPDX-License-Identifier: MIT */
/* An oracle as a plan of what to allocate and to free, in memory, so that the replay does
 * nothing else. Objects go by the number of their row, from 0. */
#ifndef ETMERLIN_REPLAY_PLAN_H
#define ETMERLIN_REPLAY_PLAN_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

struct plan_object {
    uint64_t size;     /* bytes */
    uint64_t freed_at; /* the step */
    uint32_t thread;   /* that allocates it */
    uint32_t freed_by;
};

/* A step is what one thread does at one of its allocations: it frees what may be freed there,
 * then allocates. Its last step only frees. The steps of a thread are numbered one after the
 * other, those of a later thread after those of an earlier one. */
struct replay_plan {
    size_t count;                /* objects */
    struct plan_object *objects; /* in the order of the rows */
    uint64_t first_line;         /* of object 0 in the file; the others follow line by line */
    size_t threads;              /* 0 only if there are no objects */
    uint64_t *thread_ids;        /* of the oracle; of the form objects 0 */
    size_t *first_steps;         /* of each thread; after them the number of all steps */
    size_t *step_of;             /* of each object: the step that allocates it */
    size_t *allocated;   /* of each step: its object; PLAN_NONE: the last of its thread */
    size_t *freed;       /* objects, in the order of the steps that free them */
    size_t *freed_begin; /* of each step: where its objects begin in `freed`; the end after */
};

#define PLAN_NONE SIZE_MAX

/* Reads the oracle `path` (NULL or "-": standard input), of the form objects or threads. *plan
 * is released by plan_free, also after a failure. STATUS_MEANING: the form is events; a thread
 * does not count its allocations one by one; an object is freed at an allocation that does not
 * exist, or that stands before its own. */
enum status plan_load(struct replay_plan *plan, const char *path,
                      struct failure *why) MUST_CHECK;

/* The most bytes that are allocated at once when the rows are followed in the order of the
 * file. */
uint64_t plan_peak(const struct replay_plan *plan);

/* All bytes that are allocated. */
uint64_t plan_bytes(const struct replay_plan *plan);

void plan_free(struct replay_plan *plan);

#endif
