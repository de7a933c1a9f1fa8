/* SPDX-License-Identifier: MIT */
/* Where objects die, how many frames they outlive, and whether threads share them
 * (etmerlin-deaths(7), "Where an object dies"): what pass 1 keeps for it, 8 bytes an object,
 * and the exits of frames in which there were births, in a file. */
#ifndef ETMERLIN_MERLIN_DEATH_SITES_H
#define ETMERLIN_MERLIN_DEATH_SITES_H

#include "heap/contexts.h"
#include "heap/objects.h"
#include "io/spool.h"

struct death_sites;

/* Notes of last uses where they are, as paths of `contexts`, which must outlive *out; NULL:
 * they are not noted. `temporary` is that of temporary files; NULL: death_sites_pass will be
 * called now and then, so that none is needed. The caller owns *out (death_sites_free). */
enum status death_sites_new(struct death_sites **out, struct contexts *contexts,
                            const struct temporary_folder *temporary,
                            struct failure *why) MUST_CHECK;

/* Makes room for nodes below `nodes`. */
enum status death_sites_reserve(struct death_sites *sites, size_t nodes,
                                struct failure *why) MUST_CHECK;

/* A record is in the innermost method that its thread has open, an entry in the method that it
 * enters, and an exit in the method that it leaves, if that was open. What goes on to the next
 * record, and what notes its uses, is in death_sites_inline.h. */

/* It enters `method`: to be called before frames_enter. */
enum status death_sites_enter(struct death_sites *sites, const struct frames *frames,
                              uint32_t thread, uint64_t method, struct failure *why) MUST_CHECK;

/* It has popped frames of the thread, and makes the boundary `tick`. */
enum status death_sites_leave(struct death_sites *sites, const struct frames *frames,
                              uint32_t thread, uint64_t tick, struct failure *why) MUST_CHECK;

/* It allocates `node`, which has been `adopted` (objects.h) or is new. To be called before that
 * use is noted. */
enum status death_sites_birth(struct death_sites *sites, const struct frames *frames,
                              uint32_t thread, node_t node, bool adopted,
                              struct failure *why) MUST_CHECK;

/* Each of the `nodes` nodes with a number in `moved`, which go up as nodes do, becomes node
 * moved[node]; the others are forgotten. */
void death_sites_move(struct death_sites *sites, const node_t *moved, size_t nodes);

/* The allocated `node`, born in tick `birth`, dies at the boundary `death`, which is not before
 * that of the call before: how many frames it outlives is known from here on. */
enum status death_sites_die(struct death_sites *sites, const struct objects *objects,
                            node_t node, uint64_t birth, uint64_t death,
                            struct failure *why) MUST_CHECK;

/* No more deaths are at boundaries up to `tick`, which is that of the latest record. */
enum status death_sites_pass(struct death_sites *sites, uint64_t tick,
                             struct failure *why) MUST_CHECK;

/* Whether it is noted where last uses are. */
bool death_sites_have_paths(const struct death_sites *sites);

/* Where the present record is. */
uint32_t death_sites_present(const struct death_sites *sites);

/* Where the last use of a node was. */
uint32_t death_sites_path(const struct death_sites *sites, node_t node);

/* Whether another thread than the one that allocated it has named an allocated node. */
bool death_sites_is_shared(const struct death_sites *sites, node_t node);

/* What death_sites_die found of an allocated node; DEATH_SITES_NO_FRAMES: none was open at its
 * birth. */
uint32_t death_sites_outlived(const struct death_sites *sites, node_t node);

#define DEATH_SITES_NO_FRAMES ((UINT32_C(1) << 30) - 1)

/* NULL is allowed. */
void death_sites_free(struct death_sites *sites);

#endif
