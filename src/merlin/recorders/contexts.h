/* SPDX-License-Identifier: MIT */
/* Contexts: the innermost methods that a thread has open when it allocates or makes an object
 * unreachable, the innermost first. Contexts of both kinds share one numbering: first those of
 * allocations, in the order in which they first allocate, then those in which objects only die.
 *
 * Also which methods allocate at a site. Tracers number sites arbitrarily, so a site is best
 * named by its method: nearly all sites have only one. */
#ifndef ETMERLIN_MERLIN_RECORDERS_CONTEXTS_H
#define ETMERLIN_MERLIN_RECORDERS_CONTEXTS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most methods that a context may have. */
enum { CONTEXT_DEPTH_MAX = 64 };

struct contexts;

/* Makes an empty list of contexts, of at most `depth` methods each, 1 to CONTEXT_DEPTH_MAX. The
 * caller owns *out (contexts_free). */
enum status contexts_new(struct contexts **out, unsigned depth, struct failure *why) MUST_CHECK;

/* A path is a context that need not have a number. Path 0: no method is open. */

/* Sets *path to the path of a thread that calls `method` from the path `caller`. STATUS_LIMIT:
 * there are more than 2^32-2 paths or methods. */
enum status contexts_enter(struct contexts *contexts, uint32_t caller, uint64_t method,
                           uint32_t *path, struct failure *why) MUST_CHECK;

/* Records that the next allocation has context 0, whatever methods are open. */
enum status contexts_note_none(struct contexts *contexts, struct failure *why) MUST_CHECK;

/* Records the context of the next allocation, by a thread whose path is `path`. */
enum status contexts_note_path(struct contexts *contexts, uint32_t path,
                               struct failure *why) MUST_CHECK;

/* Records that an object dies in `path`; `is_prior`: it was there before the trace. */
enum status contexts_note_death(struct contexts *contexts, uint32_t path, bool is_prior,
                                struct failure *why) MUST_CHECK;

/* Gives numbers to the paths in which objects die and none is allocated, in the order in which
 * contexts_note_death was first called for them, but last to those in which only objects die
 * that were there before the trace, so that these do not change other numbers. To be called
 * after all allocations. */
enum status contexts_number_deaths(struct contexts *contexts, struct failure *why) MUST_CHECK;

/* The number of the context that a path is; 0: it has none. */
uint32_t contexts_of_path(const struct contexts *contexts, uint32_t path);

/* Forgets the contexts of all allocations: the next allocation is number 0 again. */
void contexts_forget_allocations(struct contexts *contexts);

/* The context of allocation number `allocation`, from 0. Contexts are numbered from 1; 0: no
 * method was open. */
uint32_t contexts_of(const struct contexts *contexts, size_t allocation);

/* Copies the methods of a context, the innermost first, to `methods`, which has room for
 * CONTEXT_DEPTH_MAX. Returns how many there are. */
size_t contexts_methods(const struct contexts *contexts, uint32_t context, uint64_t *methods);

/* The innermost method of a context that is not 0. */
uint64_t contexts_method(const struct contexts *contexts, uint32_t context);

/* The number of the innermost method of a context, from 1 without gaps; 0: the context is 0. */
uint32_t contexts_method_number(const struct contexts *contexts, uint32_t context);

/* The method with the number `number`, which is not 0. */
uint64_t contexts_numbered(const struct contexts *contexts, uint32_t number);

/* Records an allocation at `site`, made while the innermost open method has the number `method`
 * (0: none is open). STATUS_LIMIT: there are more than 2^32-2 sites. */
enum status contexts_note_site(struct contexts *contexts, uint64_t site, uint32_t method,
                               struct failure *why) MUST_CHECK;

/* What allocates at a site. */
struct site_method {
    uint32_t number; /* of the method with the most objects, or the first of several to have had
                        as many; 0: none was open */
    bool is_one_of_several;
};

/* The method that allocates at `site`; number 0 if no allocation at it has been recorded. */
struct site_method contexts_site_method(const struct contexts *contexts, uint64_t site);

/* NULL is allowed. */
void contexts_free(struct contexts *contexts);

#endif
