/* SPDX-License-Identifier: MIT */
/* Where objects die, how many frames they outlive, and whether threads share them
 * (etmerlin-deaths(7), "Where an object dies"). Pass 1 keeps 8 bytes an object for this, and,
 * in a file, the exits from frames in which objects were born. */
#ifndef ETMERLIN_MERLIN_DEATH_SITES_H
#define ETMERLIN_MERLIN_DEATH_SITES_H

#include "heap/contexts.h"
#include "heap/objects.h"
#include "io/spool.h"

struct death_sites;

/* Makes empty death sites. Where last uses are is recorded as paths of `contexts`, which must
 * outlive *out; NULL: it is not recorded. Temporary files are in `temporary`; NULL: none is
 * needed, since death_sites_pass will be called now and then. The caller owns *out
 * (death_sites_free). */
enum status death_sites_new(struct death_sites **out, struct contexts *contexts,
                            const struct temporary_folder *temporary,
                            struct failure *why) MUST_CHECK;

/* Makes room for the nodes below `nodes`. */
enum status death_sites_reserve(struct death_sites *sites, size_t nodes,
                                struct failure *why) MUST_CHECK;

/* A record is in the innermost method that its thread has open; an entry is in the method that
 * it enters, and an exit in the method that it leaves, if that is open. death_sites_inline.h
 * has what moves on to the next record, and what records its uses. */

/* The present record enters `method`. To be called before frames_enter. */
enum status death_sites_enter(struct death_sites *sites, const struct frames *frames,
                              uint32_t thread, uint64_t method, struct failure *why) MUST_CHECK;

/* The present record has popped frames of the thread, and makes the boundary `tick`. */
enum status death_sites_leave(struct death_sites *sites, const struct frames *frames,
                              uint32_t thread, uint64_t tick, struct failure *why) MUST_CHECK;

/* The present record allocates `node`, which has been `adopted` (objects.h) or is new. To be
 * called before that use is recorded. STATUS_LIMIT: there are too many frames or threads. */
enum status death_sites_birth(struct death_sites *sites, const struct frames *frames,
                              uint32_t thread, node_t node, bool adopted,
                              struct failure *why) MUST_CHECK;

/* Each of the `nodes` nodes with moved[node] other than 0 becomes node moved[node]; the others
 * are forgotten. These numbers go up as nodes do, from 1 without gaps. */
void death_sites_move(struct death_sites *sites, const node_t *moved, size_t nodes);

/* The allocated `node`, born in tick `birth`, dies at the boundary `death`, which is not before
 * that of the call before. Finds out how many frames it outlives. */
enum status death_sites_die(struct death_sites *sites, const struct objects *objects,
                            node_t node, uint64_t birth, uint64_t death,
                            struct failure *why) MUST_CHECK;

/* Forgets the exits up to `tick`, which is that of the latest record: no more deaths are at
 * boundaries up to it. */
enum status death_sites_pass(struct death_sites *sites, uint64_t tick,
                             struct failure *why) MUST_CHECK;

/* Whether it is recorded where last uses are. */
bool death_sites_have_paths(const struct death_sites *sites);

/* The path that the present record is in. */
uint32_t death_sites_present(const struct death_sites *sites);

/* The path that the last use of a node was in. */
uint32_t death_sites_path(const struct death_sites *sites, node_t node);

/* Whether an allocated node has been named by another thread than the one that allocated it. */
bool death_sites_is_shared(const struct death_sites *sites, node_t node);

/* How many frames an allocated node has outlived, as death_sites_die found;
 * DEATH_SITES_NO_FRAMES: none was open at its birth. */
uint32_t death_sites_outlived(const struct death_sites *sites, node_t node);

#define DEATH_SITES_NO_FRAMES ((UINT32_C(1) << 30) - 1)

/* NULL is allowed. */
void death_sites_free(struct death_sites *sites);

#endif
