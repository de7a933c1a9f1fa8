/* SPDX-License-Identifier: MIT */
/* Where in the program objects are allocated and die, how many frames they outlive, and whether
 * threads share them (etmerlin-deaths(7), "Where an object dies").
 *
 * A path is the methods that a thread has open, as deep as contexts are (contexts.h). A record
 * is in the innermost method that its thread has open; an entry is in the method that it
 * enters, and an exit in the method that it leaves, if that is open. */
#ifndef ETMERLIN_MERLIN_RECORDERS_PATHS_H
#define ETMERLIN_MERLIN_RECORDERS_PATHS_H

#include "io/temporary/spool.h"
#include "merlin/events.h"
#include "merlin/recorders/contexts.h"

struct paths_options {
    unsigned context_depth; /* the most methods of a context, up to CONTEXT_DEPTH_MAX */
    bool sites;             /* the methods that allocate at each site are recorded */
    bool deaths;    /* death sites: 8 bytes an object, and, in a file, the exits from frames in
                       which objects were born */
    bool last_uses; /* with `deaths`: the paths of last uses, since these show where objects die
                     */
    const struct temporary_folder
        *temporary; /* of that file (spool_open); NULL: none is needed,
                       since paths_pass will be called now and then */
};

struct paths;

/* The caller owns *out (paths_free). *options need not outlive it. */
enum status paths_new(struct paths **out, const struct paths_options *options,
                      struct failure *why) MUST_CHECK;

/* Records what has happened. STATUS_LIMIT: there are too many frames, threads, paths or
 * methods.
 */
enum status paths_see(struct paths *paths, const struct seen_batch *seen,
                      struct failure *why) MUST_CHECK;

/* The contexts of all allocations that have been seen, by number; with options->sites, the
 * methods of all sites. */
struct contexts *paths_contexts(const struct paths *paths);

/* Whether death sites are recorded; the functions below are only for them. */
bool paths_have_deaths(const struct paths *paths);

/* The allocated `node`, born in tick `birth`, dies at the boundary `death`, which is not before
 * that of the call before. Finds out how many frames it outlives. */
enum status paths_die(struct paths *paths, const struct objects *objects, node_t node,
                      uint64_t birth, uint64_t death, struct failure *why) MUST_CHECK;

/* Forgets the exits up to `tick`, which is that of the latest record: no more deaths are at
 * boundaries up to it. */
enum status paths_pass(struct paths *paths, uint64_t tick, struct failure *why) MUST_CHECK;

/* Whether paths of last uses are recorded, and that of a node. */
bool paths_have_last_uses(const struct paths *paths);
uint32_t paths_of_last_use(const struct paths *paths, node_t node);

/* Whether an allocated node has been named by another thread than the one that allocated it. */
bool paths_is_shared(const struct paths *paths, node_t node);

/* How many frames an allocated node has outlived, as paths_die found; PATHS_NO_FRAMES: none was
 * open at its birth. */
uint32_t paths_outlived(const struct paths *paths, node_t node);

#define PATHS_NO_FRAMES ((UINT32_C(1) << 30) - 1)

/* Each of the `nodes` nodes with moved[node] other than 0 becomes node moved[node]; the others
 * are forgotten, and so are the contexts of all allocations. These numbers go up as nodes do,
 * from 1 without gaps. */
void paths_move(struct paths *paths, const node_t *moved, size_t nodes);

/* NULL is allowed. */
void paths_free(struct paths *paths);

#endif
