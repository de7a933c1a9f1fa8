/* SPDX-License-Identifier: MIT */
/* Contexts: the innermost methods that a thread has open, innermost first, when it allocates or
 * makes an object unreachable. Both are numbered together: those of allocations first, in the
 * order in which they first allocate, then those in which objects only die. */
#ifndef ETMERLIN_HEAP_CONTEXTS_H
#define ETMERLIN_HEAP_CONTEXTS_H

#include "heap/frames.h"

/* Most methods that a context may have. */
enum { CONTEXT_DEPTH_MAX = 64 };

struct contexts;

/* Contexts of at most `depth` methods, 1 to CONTEXT_DEPTH_MAX. The caller owns *out
 * (contexts_free). */
enum status contexts_new(struct contexts **out, unsigned depth, struct failure *why) MUST_CHECK;

/* Notes the context of the next allocation, which is by thread number `thread`. STATUS_LIMIT:
 * there are 2^32 or more of something. */
enum status contexts_note(struct contexts *contexts, const struct frames *frames,
                          uint32_t thread, struct failure *why) MUST_CHECK;

/* Notes that the next allocation has context 0, whatever is open. */
enum status contexts_note_none(struct contexts *contexts, struct failure *why) MUST_CHECK;

/* A path is a context that need not have a number: of every call, where contexts of deaths are
 * wanted, too. 0: no method is open. */

/* Sets *path to that of a thread which enters `method` where `caller` is open. STATUS_LIMIT as
 * above. */
enum status contexts_enter(struct contexts *contexts, uint32_t caller, uint64_t method,
                           uint32_t *path, struct failure *why) MUST_CHECK;

/* As contexts_note, for a thread of which `path` is open. */
enum status contexts_note_path(struct contexts *contexts, uint32_t path,
                               struct failure *why) MUST_CHECK;

/* Notes that an object dies in `path`; `is_prior`: it was there before the trace. */
enum status contexts_note_death(struct contexts *contexts, uint32_t path, bool is_prior,
                                struct failure *why) MUST_CHECK;

/* After all allocations: numbers the paths in which objects die and none is allocated, in the
 * order in which contexts_note_death was first called for them; last those in which only what
 * was there before the trace dies, so that it does not change the numbers of others. */
enum status contexts_number_deaths(struct contexts *contexts, struct failure *why) MUST_CHECK;

/* The context of a path that has a number, or 0. */
uint32_t contexts_of_path(const struct contexts *contexts, uint32_t path);

/* Forgets which contexts allocations had: the next allocation has number 0. */
void contexts_forget_allocations(struct contexts *contexts);

/* The context of allocation number `allocation`, from 0: a number from 1 on; 0: no method was
 * open. */
uint32_t contexts_of(const struct contexts *contexts, size_t allocation);

/* Sets `methods`, which has room for CONTEXT_DEPTH_MAX, to those of a context, the innermost
 * first; returns how many there are. */
size_t contexts_methods(const struct contexts *contexts, uint32_t context, uint64_t *methods);

/* The context of the allocation that was noted last. */
uint32_t contexts_latest(const struct contexts *contexts);

/* The innermost method of a context that is not 0. */
uint64_t contexts_method(const struct contexts *contexts, uint32_t context);

/* The number of that method, from 1 on, without gaps; 0: the context is 0. */
uint32_t contexts_method_number(const struct contexts *contexts, uint32_t context);

/* The method with a number that is not 0. */
uint64_t contexts_numbered(const struct contexts *contexts, uint32_t number);

/* NULL is allowed. */
void contexts_free(struct contexts *contexts);

#endif
