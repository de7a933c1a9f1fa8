/* SPDX-License-Identifier: MIT */
/* Lives in temporary files, for what finds them window by window: all that reports tell of an
 * object, in the order of death, and when objects were born, in the order of allocation. */
#ifndef ETMERLIN_MERLIN_STORED_LIVES_H
#define ETMERLIN_MERLIN_STORED_LIVES_H

#include "io/spool.h"
#include "merlin/causes.h"

#include <stdbool.h>

/* A moment on three clocks. */
struct life_moment {
    uint64_t tick;
    uint64_t time;  /* of that tick */
    uint64_t bytes; /* allocated so far */
};

/* A life, with what its allocation record says. */
struct life_facts {
    uint64_t allocation; /* its number, from 0 */
    uint64_t object;     /* its id */
    uint8_t kind;        /* enum record_kind */
    uint64_t type;
    uint64_t size; /* bytes */
    uint64_t length;
    uint64_t site;
    uint64_t thread; /* id of the thread that allocated it; 0 if the trace has none */
    uint64_t line;   /* of the record in the input */
    struct life_moment born;
    struct life_moment last_use; /* its own; bytes: at the end of the tick */
    /* Of the boundary at which it died; of what survives, of the end of the trace. */
    struct life_moment died;
    uint64_t died_allocations; /* made before */
    bool survives;             /* no boundary finds it dead */
    enum cause cause;
    bool has_key;  /* it has a group */
    uint64_t key;  /* id of its key; 0: none */
    bool is_key;   /* it is its own */
    bool is_first; /* of its group that is told */
    /* Of its group, with is_key or is_first: */
    bool has_cycle;
    uint64_t group_objects; /* allocated ones */
    uint64_t group_bytes;
    uint32_t context;
    unsigned uses;            /* as life_records_use_count tells */
    uint64_t first_use_bytes; /* allocated before the tick of the second use; if it is noted */
    /* Of the last use, as use_places.h tells; if it is noted. */
    uint64_t use_count;
    uint64_t use_thread; /* id */
    uint64_t found;      /* records up to where its death was found, or to the end */
};

/* What is known when an object is born. */
struct birth_facts {
    uint64_t tick; /* of the boundary behind it, whether there is one or not */
    uint64_t time; /* of that tick, at most that of the end */
    uint64_t size;
    uint64_t type;
    uint64_t site;
    uint64_t context;
};

/* What is known when all lives have been added. */
struct lives_summary {
    uint64_t lives;
    struct life_moment first; /* of the first boundary: tick and time */
    struct life_moment end;
};

struct stored_lives;

/* Without lives yet, in `place` (NULL: see spool_open). The caller owns *out
 * (stored_lives_close). */
enum status stored_lives_open(struct stored_lives **out, const struct spool_place *place,
                              struct failure *why) MUST_CHECK;

/* Appends a birth, in the order of allocation. */
enum status stored_lives_add_birth(struct stored_lives *lives, const struct birth_facts *birth,
                                   struct failure *why) MUST_CHECK;

/* Appends a life; ticks of death do not go down, and what survives comes last. */
enum status stored_lives_add(struct stored_lives *lives, const struct life_facts *life,
                             struct failure *why) MUST_CHECK;

/* Call it when all births and lives have been added, before a cursor is opened.
 * stored_lives_summary gives `summary` back, with `lives` set to the number of lives added. */
enum status stored_lives_finish(struct stored_lives *lives, const struct lives_summary *summary,
                                struct failure *why) MUST_CHECK;

const struct lives_summary *stored_lives_summary(const struct stored_lives *lives);

/* NULL is allowed. */
void stored_lives_close(struct stored_lives *lives);

/* A place among stored lives; there may be several. */
struct life_cursor;

/* Starts at the first life. `lives` must outlive *out, which the caller owns
 * (life_cursor_close). */
enum status life_cursor_open(struct life_cursor **out, const struct stored_lives *lives,
                             struct failure *why) MUST_CHECK;

/* Sets *life to the next one. STATUS_END: there is none. */
enum status life_cursor_next(struct life_cursor *cursor, struct life_facts *life,
                             struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void life_cursor_close(struct life_cursor *cursor);

/* The same of births. */
struct birth_cursor;

enum status birth_cursor_open(struct birth_cursor **out, const struct stored_lives *lives,
                              struct failure *why) MUST_CHECK;

/* Sets *birth to the next one. STATUS_END: there is none. */
enum status birth_cursor_next(struct birth_cursor *cursor, struct birth_facts *birth,
                              struct failure *why) MUST_CHECK;

void birth_cursor_close(struct birth_cursor *cursor);

#endif
