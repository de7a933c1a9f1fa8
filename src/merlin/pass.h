/* SPDX-License-Identifier: MIT */
/* Pass 1 of Merlin with its recorders (etmerlin-deaths(7)): apply.h is what it does, and
 * recorders/ keep what reports need in addition. */
#ifndef ETMERLIN_MERLIN_PASS_H
#define ETMERLIN_MERLIN_PASS_H

#include "merlin/apply.h"
#include "merlin/recorders/recorders.h"

/* An empty pass; pass_free releases it, also after a failure. */
enum status pass_init(struct pass *pass, enum held_by held_by, bool explicit_time,
                      struct failure *why) MUST_CHECK;

/* Applies the records of `batch` from number `first` up to `end`, and lets recorders see what
 * happened. Death records have no effect, unless they are recorded, and are counted. */
enum status pass_add_some(struct pass *pass, const struct batch *batch, size_t first,
                          size_t end, struct failure *why) MUST_CHECK;

/* The same for all records of the batch; also counts its comments, and its unknown and
 * malformed lines. */
enum status pass_add(struct pass *pass, const struct batch *batch,
                     struct failure *why) MUST_CHECK;

/* As heap_move, also for what is recorded (recorders_move). */
enum status pass_move(struct pass *pass, const node_t *moved, struct failure *why) MUST_CHECK;

void pass_free(struct pass *pass);

/* The contexts of allocations, and the methods of sites; NULL: they are not recorded. */
static inline struct contexts *pass_contexts(const struct pass *pass)
{
    const struct recorders *recorders = pass->recorders;
    return recorders && recorders->paths ? paths_contexts(recorders->paths) : NULL;
}

static inline const struct site_methods *pass_sites(const struct pass *pass)
{
    const struct recorders *recorders = pass->recorders;
    return recorders && recorders->paths ? paths_sites(recorders->paths) : NULL;
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
