/* SPDX-License-Identifier: MIT */
/* All recorders of a pass: what reports need in addition to last uses. */
#ifndef ETMERLIN_MERLIN_RECORDERS_RECORDERS_H
#define ETMERLIN_MERLIN_RECORDERS_RECORDERS_H

#include "merlin/recorders/allocations.h"
#include "merlin/recorders/input_deaths.h"
#include "merlin/recorders/paths.h"
#include "merlin/recorders/references.h"
#include "merlin/recorders/stores.h"
#include "merlin/recorders/uses.h"

/* What is to be recorded. */
struct recorders_options {
    bool allocations;
    bool without_sizes; /* those of allocations are taken for 0 */
    bool input_deaths;  /* those that the input has; with proofs of uses */
    struct uses_options uses;
    bool paths;
    struct paths_options path_details; /* with `paths` */
    bool references; /* those that ended, in a file; the mark of each slot (slots.h) is the time
                        at which the reference that it holds was created. A store of what a slot
                        holds already has no effect */
    bool stores;     /* and the allocations among them, in a file */
    bool has_windows; /* references are known by the ids of objects (references.h) */
    struct temporary_folder temporary; /* of these files */
};

struct recorders {
    struct seen_events events; /* of the latest batch */
    bool has_allocations;
    struct allocations allocations;   /* zero unless they are recorded */
    struct input_deaths input_deaths; /* zero unless they are recorded */
    struct uses *uses;                /* owned, like those below */
    struct paths *paths;              /* NULL: not recorded */
    struct references *references;
    struct stores *stores;
};

/* Makes the recorders of `pass`, before its first record; pass_free releases them, also after a
 * failure. */
enum status recorders_open(struct pass *pass, const struct recorders_options *recording,
                           struct failure *why) MUST_CHECK;

/* Records what has been seen. */
enum status recorders_see(struct recorders *recorders, const struct seen_batch *seen,
                          struct failure *why) MUST_CHECK;

/* To be called before heap_move, with what is given to it. There may be no recorded deaths.
 * Allocations get new numbers, in their order; their contexts are forgotten. */
enum status recorders_move(struct recorders *recorders, const struct objects *objects,
                           const node_t *moved, struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void recorders_free(struct recorders *recorders);

#endif
