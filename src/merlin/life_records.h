/* SPDX-License-Identifier: MIT */
/* Life records: what pass 1 keeps for reports in addition to last uses (etmerlin-deaths(7),
 * "What a death time is"). */
#ifndef ETMERLIN_MERLIN_LIFE_RECORDS_H
#define ETMERLIN_MERLIN_LIFE_RECORDS_H

#include "base/ascending.h"
#include "base/status.h"
#include "heap/node.h"

#include <stdbool.h>
#include <stddef.h>

/* The ways of using an object. */
enum use {
    USE_NAMED,       /* a record named the object */
    USE_OVERWRITTEN, /* a reference to it in an object was overwritten or cleared */
    USE_STATIC,      /* as USE_OVERWRITTEN, in a static field */
    USE_POPPED       /* a frame that held it was popped */
};

/* The most uses of an object that are counted; more count as this many. */
enum { USES_MAX = 63 };

/* Zero-initialize it, except for what it is to keep; life_records_free ends it. */
struct life_records {
    uint8_t *uses; /* by node: 4 times how many, up to USES_MAX, plus what the last one was */
    size_t use_capacity;
    /* By number of allocation, prior objects (trace/record.h) included: the tick of its record,
     * and the bytes of all objects so far, its own included. */
    struct ascending birth_ticks;
    struct ascending birth_bytes;
    /* The numbers of the allocations that are prior objects, and the bytes of prior objects so
     * far. */
    struct ascending priors;
    struct ascending prior_bytes;
    bool keeps_first_uses;
    uint64_t *first_uses; /* by node: the tick of the second use, if there is one */
    size_t first_use_capacity;
};

/* Makes room for the nodes below `nodes`. */
enum status life_records_reserve(struct life_records *records, size_t nodes,
                                 struct failure *why) MUST_CHECK;

/* The present record uses `node` at tick `now`. A popped frame is no record that uses, and is
 * not counted. */
static inline void life_records_use(struct life_records *records, node_t node, enum use use,
                                    uint64_t now)
{
    unsigned uses = records->uses[node] & ~3u;
    if (uses == 4 && use != USE_POPPED && records->first_uses)
        records->first_uses[node] = now;
    if (use != USE_POPPED && uses < 4u * USES_MAX)
        uses += 4;
    records->uses[node] = (uint8_t)(uses | (unsigned)use);
}

/* How `node` was used last, and how many uses there were. */
static inline enum use life_records_last_use(const struct life_records *records, node_t node)
{
    return (enum use)(records->uses[node] & 3);
}

static inline unsigned life_records_use_count(const struct life_records *records, node_t node)
{
    return records->uses[node] >> 2;
}

/* Adds an allocation of `size` bytes at `tick`. STATUS_LIMIT: the sum of all sizes does not fit
 * 64 bits. */
enum status life_records_birth(struct life_records *records, uint64_t tick, uint64_t size,
                               struct failure *why) MUST_CHECK;

/* As life_records_birth, for a prior object, whose record is at `tick`. */
enum status life_records_prior(struct life_records *records, uint64_t tick, uint64_t size,
                               struct failure *why) MUST_CHECK;

/* Called by life_records_priors if there are prior objects. */
size_t life_records_find_priors(const struct life_records *records, size_t count);

/* How many of the first `count` allocations are prior objects. */
static inline size_t life_records_priors(const struct life_records *records, size_t count)
{
    return records->priors.count > 0 ? life_records_find_priors(records, count) : 0;
}

/* Whether allocation number `allocation` is a prior object. */
static inline bool life_records_is_prior(const struct life_records *records, size_t allocation)
{
    return life_records_priors(records, allocation + 1) >
           life_records_priors(records, allocation);
}

/* The bytes allocated by the first `count` allocations, prior objects not counted. */
uint64_t life_records_clock(const struct life_records *records, size_t count);

/* STATUS_LIMIT: the sum of all sizes does not fit 64 bits. */
enum status fail_bytes(struct failure *why);

/* The size of allocation number `allocation`. */
static inline uint64_t life_records_size(const struct life_records *records, size_t allocation)
{
    uint64_t bytes = ascending_at(&records->birth_bytes, allocation);
    return allocation == 0 ? bytes
                           : bytes - ascending_at(&records->birth_bytes, allocation - 1);
}

/* Each of the `nodes` nodes with moved[node] other than 0 becomes node moved[node]; the others
 * are forgotten. These numbers go up as nodes do, from 1 without gaps. allocations[i] is the
 * node that allocation number i allocated; allocations of nodes that stay get new numbers, in
 * their order, and bytes count only them from now on. */
enum status life_records_move(struct life_records *records, const node_t *allocations,
                              const node_t *moved, size_t nodes,
                              struct failure *why) MUST_CHECK;

void life_records_free(struct life_records *records);

#endif
