/* SPDX-License-Identifier: MIT */
/* Life records: what pass 1 keeps for reports in addition to last uses (etmerlin-deaths(7),
 * "What a death time is").
 */
#ifndef ETMERLIN_MERLIN_LIFE_RECORDS_H
#define ETMERLIN_MERLIN_LIFE_RECORDS_H

#include "base/ascending.h"
#include "base/status.h"
#include "heap/node.h"

#include <stdbool.h>
#include <stddef.h>

/* What a use was. */
enum use {
    USE_NAMED,       /* a record named the object */
    USE_OVERWRITTEN, /* a reference to it in an object was overwritten or cleared */
    USE_STATIC,      /* the same in a static field */
    USE_POPPED       /* a frame that held it was popped */
};

/* So many uses of an object are distinguished; more uses count as this many. */
enum { USES_MAX = 63 };

/* What the input records of the death of a node. */
struct life_death {
    uint64_t tick;
    uint64_t number; /* of its record among the deaths of the input, from 1 */
    node_t older; /* the latest allocation of the same id before it that has no death; none of a
                   * node that is dead, unless its id still means it */
    bool is_dead;
};

/* Zero-initialize it, but for what it keeps; life_records_free ends it. */
struct life_records {
    uint8_t *uses; /* by node: how many, up to USES_MAX, times 4, plus what the last one was */
    size_t use_capacity;
    /* By number of allocation, prior objects (trace/record.h) included: when its record was,
     * and the bytes of all objects so far, its own included. */
    struct ascending birth_ticks;
    struct ascending birth_bytes;
    /* Of prior objects: these numbers, and the bytes of prior objects so far. */
    struct ascending priors;
    struct ascending prior_bytes;
    bool keeps_deaths;
    struct life_death *deaths; /* by node */
    size_t death_capacity;
    bool keeps_first_uses;
    uint64_t *first_uses; /* by node: the tick of the second use, if there are two */
    size_t first_use_capacity;
};

/* Makes room for `nodes` nodes, all of which may then be noted. */
enum status life_records_reserve(struct life_records *records, size_t nodes,
                                 struct failure *why) MUST_CHECK;

/* The record at hand uses `node` at tick `now`. A frame that pops is no record that uses: it
 * does not count. */
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

/* What the last use of `node` was, and how many there were. */
static inline enum use life_records_last_use(const struct life_records *records, node_t node)
{
    return (enum use)(records->uses[node] & 3);
}

static inline unsigned life_records_use_count(const struct life_records *records, node_t node)
{
    return records->uses[node] >> 2;
}

/* `size` bytes are allocated at `tick`. STATUS_LIMIT: the sum of all sizes does not fit 64
 * bits. */
enum status life_records_birth(struct life_records *records, uint64_t tick, uint64_t size,
                               struct failure *why) MUST_CHECK;

/* As life_records_birth, for a prior object, whose record is at `tick`. */
enum status life_records_prior(struct life_records *records, uint64_t tick, uint64_t size,
                               struct failure *why) MUST_CHECK;

/* What life_records_priors does when there are prior objects. */
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

/* The clock of bytes after the first `count` allocations: what they allocated, without prior
 * objects. */
uint64_t life_records_clock(const struct life_records *records, size_t count);

/* Fails because all sizes add up to more. */
enum status fail_bytes(struct failure *why);

/* The size of what allocation number `allocation` allocated. */
static inline uint64_t life_records_size(const struct life_records *records, size_t allocation)
{
    uint64_t bytes = ascending_at(&records->birth_bytes, allocation);
    return allocation == 0 ? bytes
                           : bytes - ascending_at(&records->birth_bytes, allocation - 1);
}

/* Node `node` is allocated, and its id meant the allocated node `before` up to now. */
void life_records_repeat(struct life_records *records, node_t node, node_t before);

/* Death number `number` of the input is recorded at `tick`, of the id that means the allocated
 * node `node`: the latest allocation of the id dies that is not dead. Nothing if all are. */
void life_records_die(struct life_records *records, node_t node, uint64_t tick,
                      uint64_t number);

/* A record uses `node`, which its id means now. If it is dead, its death was that of an older
 * allocation of the id, if one is left. */
void life_records_revive(struct life_records *records, node_t node);

/* Each of the `nodes` nodes with a number in `moved`, which go up as nodes do, becomes node
 * moved[node]; the others are forgotten. Allocation number i allocated allocations[i]; those of
 * nodes that stay are numbered anew, in their order, and from here on bytes count only them.
 * There are no recorded deaths. */
enum status life_records_move(struct life_records *records, const node_t *allocations,
                              const node_t *moved, size_t nodes,
                              struct failure *why) MUST_CHECK;

void life_records_free(struct life_records *records);

#endif
