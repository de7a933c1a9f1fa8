/* SPDX-License-Identifier: MIT */
/* What is recorded of each allocation, by its number from 0, those of prior objects
 * (trace/record.h) included: the tick of its record, the bytes allocated so far, and what the
 * record says. */
#ifndef ETMERLIN_MERLIN_RECORDERS_ALLOCATIONS_H
#define ETMERLIN_MERLIN_RECORDERS_ALLOCATIONS_H

#include "base/packed.h"
#include "merlin/events.h"

/* Zero-initialize it; allocations_free ends it. */
struct allocations {
    struct ascending ticks;
    struct ascending bytes;       /* of all objects so far, its own included */
    struct ascending priors;      /* the numbers of those that are prior objects, */
    struct ascending prior_bytes; /* and the bytes of prior objects so far */
    bool without_sizes;           /* all are taken for 0 */
    /* What the records say: 17 bytes each. */
    struct narrow types;
    struct narrow sites;
    struct narrow lengths;
    struct narrow lines; /* of the input */
    uint8_t *kinds;      /* enum record_kind */
    size_t kind_capacity;
};

/* Adds an allocation of `size` bytes at `tick`; `is_prior`: of a prior object. STATUS_LIMIT:
 * the sum of all sizes does not fit 64 bits. */
enum status allocations_add(struct allocations *allocations, uint64_t tick, uint64_t size,
                            bool is_prior, struct failure *why) MUST_CHECK;

/* Adds the allocations that have been seen. STATUS_LIMIT: as for allocations_add. */
enum status allocations_see(struct allocations *allocations, const struct seen_batch *seen,
                            struct failure *why) MUST_CHECK;

/* Called by allocations_priors if there are prior objects. */
size_t allocations_find_priors(const struct allocations *allocations, size_t count);

/* How many of the first `count` allocations are prior objects. */
static inline size_t allocations_priors(const struct allocations *allocations, size_t count)
{
    return allocations->priors.count > 0 ? allocations_find_priors(allocations, count) : 0;
}

/* Whether allocation number `number` is a prior object. */
static inline bool allocations_is_prior(const struct allocations *allocations, size_t number)
{
    return allocations_priors(allocations, number + 1) >
           allocations_priors(allocations, number);
}

/* The bytes allocated by the first `count` allocations, prior objects not counted. */
uint64_t allocations_clock(const struct allocations *allocations, size_t count);

/* The size of allocation number `number`. */
static inline uint64_t allocations_size(const struct allocations *allocations, size_t number)
{
    uint64_t bytes = ascending_at(&allocations->bytes, number);
    return number == 0 ? bytes : bytes - ascending_at(&allocations->bytes, number - 1);
}

/* STATUS_LIMIT: the sum of all sizes does not fit 64 bits. */
enum status fail_bytes(struct failure *why);

/* Forgets the allocations of nodes with moved[node] 0; nodes[i] is the node that allocation
 * number i allocated. The others get new numbers, in their order, and bytes count only them
 * from now on. */
enum status allocations_move(struct allocations *allocations, const node_t *nodes,
                             const node_t *moved, struct failure *why) MUST_CHECK;

void allocations_free(struct allocations *allocations);

#endif
