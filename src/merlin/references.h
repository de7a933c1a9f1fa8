/* SPDX-License-Identifier: MIT */
/* The references of a trace that ended by a store, noted in pass 1 and read when all is known.
 * They are kept in a file without a name, not in memory: there may be as many as records. */
#ifndef ETMERLIN_MERLIN_REFERENCES_H
#define ETMERLIN_MERLIN_REFERENCES_H

#include "heap/node.h"
#include "io/spool.h"

#include <stdbool.h>
#include <stddef.h>

/* A reference that was overwritten, or cleared if nothing took its place. */
struct ended_reference {
    uint64_t field;
    uint64_t created; /* ticks */
    uint64_t ended;
    node_t container; /* NODE_NONE: a static field */
    node_t target;
    bool cleared;
};

struct references;

/* An empty list; its file is in `place` (NULL: see spool_open). The caller owns *out
 * (references_close). */
enum status references_open(struct references **out, const struct spool_place *place,
                            struct failure *why) MUST_CHECK;

/* Appends one. None can be appended once one has been read. */
enum status references_add(struct references *references,
                           const struct ended_reference *reference,
                           struct failure *why) MUST_CHECK;

/* Reads the next one, in the order in which they were appended. STATUS_END: there are no more.
 */
enum status references_next(struct references *references, struct ended_reference *reference,
                            struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void references_close(struct references *references);

#endif
