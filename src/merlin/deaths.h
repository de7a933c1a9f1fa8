/* SPDX-License-Identifier: MIT */
/* The deaths of a trace, in the order in which its records show them. */
#ifndef ETMERLIN_MERLIN_DEATHS_H
#define ETMERLIN_MERLIN_DEATHS_H

#include "base/status.h"
#include "io/temporary/spool.h"
#include "merlin/pass.h"
#include "merlin/propagation.h"

/* A death, with what its record and its position need. */
struct death {
    uint64_t tick;   /* of the boundary at which it dies; if it survives, the last one */
    uint64_t time;   /* of that tick */
    uint64_t object; /* its id */
    uint64_t thread; /* id of the thread that allocated it */
    node_t node;     /* NODE_NONE: it is not known */
    bool survives;   /* no boundary finds it dead */
};

/* What happens to the objects that are alive at the end of the trace. */
enum at_end { AT_END_NONE, AT_END_DIE };

struct stored_deaths;
struct stored_lives;

struct deaths {
    const struct pass *pass;
    size_t dead_count;  /* allocated objects that die at a boundary */
    size_t alive_count; /* allocated objects that no boundary finds dead */
    size_t named;       /* objects that the trace names, allocated or not */

    /* The deaths, if they were found window by window (windows/): then the arrays below do not
     * exist. Owned. */
    struct stored_deaths *stored;
    struct stored_lives *lives; /* NULL: they are not wanted. Owned. */
    uint64_t collections;       /* number of collections that found them */

    node_t *dead;           /* by tick of death, then in the order of allocation */
    node_t *alive;          /* in the order of allocation */
    uint64_t *last_reached; /* by node: see propagate */
};

/* Computes the deaths of a whole trace. `pass` must outlive *deaths, and its index of object
 * ids is released. deaths_free releases *deaths, also after a failure. */
enum status deaths_compute(struct deaths *deaths, struct pass *pass,
                           enum unallocated unallocated, struct failure *why) MUST_CHECK;

/* As deaths_compute, for the trace so far: finds what dies at the latest boundary or before it.
 * Objects that are named later are alive. The index of object ids is not released. */
enum status deaths_so_far(struct deaths *deaths, const struct pass *pass,
                          enum unallocated unallocated, const struct named_later *later,
                          struct failure *why) MUST_CHECK;

/* For windows: makes an empty list of deaths, in a file in `temporary` (NULL: see spool_open).
 * The caller owns *out, as deaths->stored (deaths_free). */
enum status stored_deaths_open(struct stored_deaths **out,
                               const struct temporary_folder *temporary,
                               struct failure *why) MUST_CHECK;

/* Appends a death; ticks may not go down, and what survives must come last. Its node is not
 * kept. */
enum status stored_deaths_add(struct stored_deaths *deaths, const struct death *death,
                              struct failure *why) MUST_CHECK;

/* To be called when all have been added to deaths->stored, before the first is read; counts
 * them in *deaths. */
enum status stored_deaths_finish(struct deaths *deaths, struct failure *why) MUST_CHECK;

/* The death of dead[index], or, from dead_count on, what survives: alive[index - dead_count].
 */
struct death deaths_at(const struct deaths *deaths, size_t index);

/* The D record of `death`, with the thread of its allocation or, if `thread` is not NULL,
 * *thread. */
struct record death_record(const struct death *death, const uint64_t *thread);

void deaths_free(struct deaths *deaths);

/* A position among the deaths: those at boundaries in order, then what survives. */
struct death_cursor;

/* Starts at the first death. *deaths must outlive *out, which the caller owns
 * (death_cursor_close). Several threads may have one each. */
enum status death_cursor_open(struct death_cursor **out, const struct deaths *deaths,
                              struct failure *why) MUST_CHECK;

/* Sets *death to the next one. STATUS_END: there is none. */
enum status death_cursor_next(struct death_cursor *cursor, struct death *death,
                              struct failure *why) MUST_CHECK;

/* Sets *tick to the first tick after *tick at whose boundary something dies. STATUS_END: there
 * is none. A cursor is used either for this or for death_cursor_next. */
enum status death_cursor_skip_tick(struct death_cursor *cursor, uint64_t *tick,
                                   struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void death_cursor_close(struct death_cursor *cursor);

#endif
