/* The deaths of a trace, in the order in which its records tell them. */
#ifndef ETMERLIN_MERLIN_DEATHS_H
#define ETMERLIN_MERLIN_DEATHS_H

#include "base/status.h"
#include "merlin/last_use.h"
#include "merlin/propagation.h"

struct deaths {
    const struct history *history;
    node_t *dead;      /* by tick of death, then in the order of allocation */
    size_t dead_count; /* allocated objects that die at a boundary */
    node_t *alive;     /* allocated objects that no boundary finds dead, as allocated */
    size_t alive_count;
    uint64_t *last_reached; /* by node: see propagate */
};

/* Computes the deaths of a whole trace. `history` must outlive *deaths and loses
 * its index of object ids. deaths_free releases *deaths, also after a failure. */
enum status deaths_compute(struct deaths *deaths, struct history *history,
                           enum unallocated unallocated, struct failure *why) MUST_CHECK;

/* The tick of the boundary at which dead[index] dies. */
uint64_t deaths_tick(const struct deaths *deaths, size_t index);

/* Walks the ticks at which objects die: the tick of dead[*next], and *next behind its deaths;
 * UINT64_MAX at the end. */
uint64_t deaths_next_tick(const struct deaths *deaths, size_t *next);

/* The record of the death of `node` at `time`, with the thread of its allocation or, if it is not
 * NULL, *thread. */
struct record deaths_record(const struct deaths *deaths, node_t node, uint64_t time,
                            const uint64_t *thread);

void deaths_free(struct deaths *deaths);

#endif
