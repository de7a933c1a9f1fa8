/* SPDX-License-Identifier: MIT */
/* Deaths in a temporary file, for windows. */
#ifndef ETMERLIN_MERLIN_STORED_DEATHS_H
#define ETMERLIN_MERLIN_STORED_DEATHS_H

#include "heap/objects.h"
#include "io/temporary/spool.h"

#include <stdbool.h>

/* A death, with what its record and its position need. */
struct death {
    uint64_t tick;   /* of the boundary at which it dies; if it survives, the last one */
    uint64_t time;   /* of that tick */
    uint64_t object; /* its id */
    uint64_t thread; /* id of the thread that allocated it */
    node_t node;     /* NODE_NONE: it is not known */
    bool survives;   /* no boundary finds it dead */
};

struct stored_deaths;

/* Makes an empty list of deaths in `temporary` (NULL: see spool_open). The caller owns *out
 * (stored_deaths_close). */
enum status stored_deaths_open(struct stored_deaths **out,
                               const struct temporary_folder *temporary,
                               struct failure *why) MUST_CHECK;

/* Appends a death; ticks may not go down, and what survives must come last. Its node is not
 * kept. */
enum status stored_deaths_add(struct stored_deaths *deaths, const struct death *death,
                              struct failure *why) MUST_CHECK;

/* To be called when all have been added, before the first is read. */
enum status stored_deaths_finish(struct stored_deaths *deaths, struct failure *why) MUST_CHECK;

/* How many objects die at a boundary, and how many survive. */
uint64_t stored_deaths_dead(const struct stored_deaths *deaths);
uint64_t stored_deaths_survivors(const struct stored_deaths *deaths);

/* NULL is allowed. */
void stored_deaths_close(struct stored_deaths *deaths);

/* A position among stored deaths. Several threads may have one each. */
struct stored_cursor;

/* Starts at the first death. `deaths` must outlive *out, which the caller owns
 * (stored_cursor_close). */
enum status stored_cursor_open(struct stored_cursor **out, const struct stored_deaths *deaths,
                               struct failure *why) MUST_CHECK;

/* Sets *death to the next death. STATUS_END: there is none. */
enum status stored_cursor_next(struct stored_cursor *cursor, struct death *death,
                               struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void stored_cursor_close(struct stored_cursor *cursor);

#endif
