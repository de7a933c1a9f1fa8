/* SPDX-License-Identifier: MIT */
/* The references that fields have held, but for those that are in place in a heap at hand
 * (reference_walk.h). They are kept in files without a name, not in memory: there may be as
 * many as records. */
#ifndef ETMERLIN_MERLIN_REFERENCES_H
#define ETMERLIN_MERLIN_REFERENCES_H

#include "io/spool.h"

#include <stdbool.h>
#include <stdint.h>

/* How a reference ended. */
enum reference_end {
    REFERENCE_OVERWRITTEN,
    REFERENCE_CLEARED, /* by a store of null */
    REFERENCE_DROPPED, /* its container died */
    REFERENCE_KEPT,    /* not: its container is allocated and alive at the end of the trace */
    REFERENCE_LEFT     /* not: it is in a static field, or its container is never allocated */
};

struct reference {
    uint64_t container; /* 0: a static field */
    uint64_t field;
    uint64_t target;
    uint64_t created; /* times */
    uint64_t ended;   /* if it did */
    enum reference_end end;
};

struct references;

/* An empty list, with a file in `temporary` (NULL: see spool_open). Of windows, `by_id`,
 * objects are ids, else nodes. The caller owns *out (references_close). */
enum status references_open(struct references **out, bool by_id,
                            const struct temporary_folder *temporary,
                            struct failure *why) MUST_CHECK;

/* Whether objects are ids. */
bool references_are_by_id(const struct references *references);

/* Appends one that a store ended. */
enum status references_add(struct references *references, const struct reference *reference,
                           struct failure *why) MUST_CHECK;

/* Of windows: adds one that was in place when its container, number `order` of those that the
 * trace names, died, or at the end. */
enum status references_leave(struct references *references, uint64_t order,
                             const struct reference *reference, struct failure *why) MUST_CHECK;

/* Reads the next one, when all have been added: as they were appended, and then those that were
 * in place, by the order of their containers. STATUS_END: there are no more. */
enum status references_next(struct references *references, struct reference *reference,
                            struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void references_close(struct references *references);

#endif
