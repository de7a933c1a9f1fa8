/* SPDX-License-Identifier: MIT */
/* The deaths that a trace records, by object. */
#ifndef ETMERLIN_MERLIN_RECORDERS_INPUT_DEATHS_H
#define ETMERLIN_MERLIN_RECORDERS_INPUT_DEATHS_H

#include "base/packed.h"
#include "merlin/death_pairing.h"
#include "merlin/events.h"

struct input_death {
    struct death_instant at;
    uint64_t number; /* of its record among the deaths of the input, from 1; 0: there is none */
};

/* A further death of an id. */
struct other_death {
    struct input_death death;
    node_t node; /* that its id means at its position */
};

/* Zero-initialize it; input_deaths_free ends it. */
struct input_deaths {
    /* By node. Before input_deaths_settle: the first death of the id while it means this node.
     */
    struct input_death *deaths;
    size_t count;
    size_t capacity;
    uint64_t *births; /* by allocated node: the tick of its record */
    size_t birth_capacity;
    node_t *older; /* by node: the allocation of the same id before it, or NODE_NONE, as for
                      the nodes after these; NULL: no id has been allocated twice */
    size_t older_count;
    size_t older_capacity;
    struct other_death *others;
    size_t other_count;
    size_t other_capacity;
    /* By number of death record, less 1: the tick of its position. Nothing if ticks are times.
     */
    struct ascending positions;
    uint64_t first_death; /* how many other records come before the first of these */
    bool has_misfit;      /* one has a time that the clock had not shown at its position */
    uint64_t seen;        /* how many deaths input_deaths_see has seen */
    bool at_boundary; /* the record before the next one that it sees, deaths not counted, is a
                         boundary */
};

/* Makes room for the nodes below `nodes`. */
enum status input_deaths_reserve(struct input_deaths *deaths, size_t nodes,
                                 struct failure *why) MUST_CHECK;

/* Records that `node` is allocated, whose id has meant the allocated node `before` until now.
 */
enum status input_deaths_repeat(struct input_deaths *deaths, node_t node, node_t before,
                                struct failure *why) MUST_CHECK;

/* Records the tick at the position of the next death of the input, and how many records that
 * are no deaths come before it. */
enum status input_deaths_position(struct input_deaths *deaths, uint64_t tick, uint64_t others,
                                  struct failure *why) MUST_CHECK;

/* Records a death of the id that means the allocated `node`: at the tick of its time, if the
 * clock has shown that, or else of its position, and at the place of its record. */
enum status input_deaths_add(struct input_deaths *deaths, node_t node,
                             const struct input_death *death, struct failure *why) MUST_CHECK;

/* Records the allocations and deaths that have been seen. */
enum status input_deaths_see(struct input_deaths *deaths, const struct seen_batch *seen,
                             struct failure *why) MUST_CHECK;

/* Whether an id that is allocated more than once has a death: then it matters when objects die
 * by computation. */
bool input_deaths_are_shared(const struct input_deaths *deaths);

/* What shows which object of an id has a death. */
struct death_evidence {
    const struct proof *uses;     /* by node: its last use */
    const uint64_t *last_reached; /* by node: see propagate; NULL: not known */
    const struct clock *clock;
    uint64_t last_record; /* the number of the last record that is no death, as in `uses` */
    bool by_position;     /* deaths are at their positions, whatever their times are */
};

/* To be called once, after the last record: from now on deaths->deaths[node] is the death of
 * `node`, at the moment that counts. */
enum status input_deaths_settle(struct input_deaths *deaths,
                                const struct death_evidence *evidence,
                                struct failure *why) MUST_CHECK;

void input_deaths_free(struct input_deaths *deaths);

#endif
