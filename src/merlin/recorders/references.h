/* SPDX-License-Identifier: MIT */
/* The references that fields have held, except those that are still in place in a heap in
 * memory (reference_walk.h). They are in files without a name, not in memory, since there may
 * be as many of them as records. */
#ifndef ETMERLIN_MERLIN_RECORDERS_REFERENCES_H
#define ETMERLIN_MERLIN_RECORDERS_REFERENCES_H

#include "io/temporary/spool.h"
#include "merlin/events.h"

/* How a reference ended. */
enum reference_end {
    REFERENCE_OVERWRITTEN,
    REFERENCE_CLEARED, /* by a store of null */
    REFERENCE_DROPPED, /* its container died */
    REFERENCE_KEPT,    /* it did not: its container is alive at the end */
    REFERENCE_LEFT /* it did not: it is in a static field, or of an object never allocated */
};

struct reference {
    uint64_t container; /* 0: a static field */
    uint64_t field;
    uint64_t target;
    uint64_t created; /* time */
    uint64_t ended;   /* time, if it has ended */
    enum reference_end end;
};

struct references;

/* Makes an empty list, with files in `temporary` (NULL: see spool_open). With `by_id`, for
 * windows, objects in it are ids, else nodes. The caller owns *out (references_close). */
enum status references_open(struct references **out, bool by_id,
                            const struct temporary_folder *temporary,
                            struct failure *why) MUST_CHECK;

/* Whether objects in the list are ids. */
bool references_are_by_id(const struct references *references);

/* Appends a reference that a store ended. */
enum status references_add(struct references *references, const struct reference *reference,
                           struct failure *why) MUST_CHECK;

/* Appends the references that stores have ended. */
enum status references_see(struct references *references, const struct seen_batch *seen,
                           struct failure *why) MUST_CHECK;

/* For windows: adds a reference that was in place when its container died, or at the end.
 * `order` is the number of the container among those that the trace names. */
enum status references_leave(struct references *references, uint64_t order,
                             const struct reference *reference, struct failure *why) MUST_CHECK;

/* Reads the next reference, when all have been added: those that were appended in their order,
 * then those that were in place, by the order of their containers. STATUS_END: there are no
 * more. */
enum status references_next(struct references *references, struct reference *reference,
                            struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void references_close(struct references *references);

#endif
