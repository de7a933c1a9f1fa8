/* SPDX-License-Identifier: MIT */
/* Pass 1 of Merlin with its recorders (etmerlin-deaths(7)): apply.h is what it does, and
 * recorders/ keep what reports need in addition to last uses. */
#ifndef ETMERLIN_MERLIN_PASS_H
#define ETMERLIN_MERLIN_PASS_H

#include "merlin/apply.h"
#include "merlin/recorders/allocations.h"
#include "merlin/recorders/input_deaths.h"
#include "merlin/recorders/paths.h"
#include "merlin/recorders/references.h"
#include "merlin/recorders/stores.h"
#include "merlin/recorders/uses.h"

/* What is to be recorded in addition to allocations and uses. */
struct recorders_options {
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
    struct allocations allocations;
    struct input_deaths input_deaths; /* zero unless they are recorded */
    struct uses *uses;                /* owned, like those below */
    struct paths *paths;              /* NULL: not recorded */
    struct references *references;
    struct stores *stores;
};

/* An empty pass; pass_free releases it, also after a failure. */
enum status pass_init(struct pass *pass, enum held_by held_by, bool explicit_time,
                      struct failure *why) MUST_CHECK;

/* Makes the recorders of `pass`, before its first record; pass_free releases them, also after a
 * failure. */
enum status recorders_open(struct pass *pass, const struct recorders_options *recording,
                           struct failure *why) MUST_CHECK;

/* Applies the records of `batch` from number `first` up to `end`, and lets recorders see what
 * happened. Death records have no effect, unless they are recorded, and are counted. */
enum status pass_add_some(struct pass *pass, const struct batch *batch, size_t first,
                          size_t end, struct failure *why) MUST_CHECK;

/* The same for all records of the batch; also counts its comments, and its unknown and
 * malformed lines. */
enum status pass_add(struct pass *pass, const struct batch *batch,
                     struct failure *why) MUST_CHECK;

/* As heap_move, also for what is recorded. There may be no recorded deaths. Allocations get new
 * numbers, in their order; their contexts are forgotten. */
enum status pass_move(struct pass *pass, const node_t *moved, struct failure *why) MUST_CHECK;

void pass_free(struct pass *pass);

/* The contexts of allocations, with the methods of sites; NULL: they are not recorded. */
static inline struct contexts *pass_contexts(const struct pass *pass)
{
    const struct recorders *recorders = pass->recorders;
    return recorders && recorders->paths ? paths_contexts(recorders->paths) : NULL;
}

/* Whether the paths in which objects die are known. */
static inline bool pass_has_death_paths(const struct pass *pass)
{
    const struct recorders *recorders = pass->recorders;
    return recorders && recorders->paths && paths_have_last_uses(recorders->paths);
}

/* What is recorded of death sites; NULL: nothing. */
static inline struct paths *pass_death_sites(const struct pass *pass)
{
    const struct recorders *recorders = pass->recorders;
    return recorders && recorders->paths && paths_have_deaths(recorders->paths)
               ? recorders->paths
               : NULL;
}

#endif
