/* SPDX-License-Identifier: MIT */
/* The deaths of a trace, in the order in which its records show them. */
#ifndef ETMERLIN_MERLIN_DEATHS_H
#define ETMERLIN_MERLIN_DEATHS_H

#include "base/status.h"
#include "merlin/last_use.h"
#include "merlin/propagation.h"
#include "merlin/stored_deaths.h"

/* What becomes of the objects that are alive at the end. */
enum at_end { AT_END_NONE, AT_END_DIE };

struct stored_lives;

struct deaths {
    const struct history *history;
    size_t dead_count;  /* allocated objects that die at a boundary */
    size_t alive_count; /* allocated objects that no boundary finds dead */
    size_t named;       /* objects that the trace names, allocated or not */

    /* Of deaths that were found window by window (windows/): they are here, and there is none
     * of the arrays below. Owned. */
    struct stored_deaths *stored;
    struct stored_lives *lives; /* NULL: they were not asked for. Owned. */
    uint64_t collections;       /* that found them */

    node_t *dead;           /* by tick of death, then in the order of allocation */
    node_t *alive;          /* as allocated */
    uint64_t *last_reached; /* by node: see propagate */
};

/* Computes the deaths of a whole trace. `history` must outlive *deaths and loses
 * its index of object ids. deaths_free releases *deaths, also after a failure. */
enum status deaths_compute(struct deaths *deaths, struct history *history,
                           enum unallocated unallocated, struct failure *why) MUST_CHECK;

/* As deaths_compute, of the trace so far: what dies at the latest boundary or before it.
 * Objects that are named later live. The index of object ids stays as it is. */
enum status deaths_so_far(struct deaths *deaths, const struct history *history,
                          enum unallocated unallocated, const struct named_later *later,
                          struct failure *why) MUST_CHECK;

/* What dies at dead[index], or, from dead_count on, survives at alive[index - dead_count]. */
struct death deaths_at(const struct deaths *deaths, size_t index);

/* The record of `death`, with the thread of its allocation or, if it is not NULL, *thread. */
struct record death_record(const struct death *death, const uint64_t *thread);

void deaths_free(struct deaths *deaths);

/* A place among the deaths: those at boundaries in order, then what survives. */
struct death_cursor;

/* Starts at the first death. *deaths must outlive *out, which the caller owns
 * (death_cursor_close). Several threads may have one each. */
enum status death_cursor_open(struct death_cursor **out, const struct deaths *deaths,
                              struct failure *why) MUST_CHECK;

/* Sets *death to the next one. STATUS_END: there is none. */
enum status death_cursor_next(struct death_cursor *cursor, struct death *death,
                              struct failure *why) MUST_CHECK;

/* Sets *tick to the next tick after it at whose boundary something dies. STATUS_END: there is
 * none. A cursor is for this or for death_cursor_next, not for both. */
enum status death_cursor_skip_tick(struct death_cursor *cursor, uint64_t *tick,
                                   struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void death_cursor_close(struct death_cursor *cursor);

#endif
