/* SPDX-License-Identifier: MIT */
/* A walk over the references that are in place in a heap, and all references of a trace. */
#ifndef ETMERLIN_MERLIN_REFERENCE_WALK_H
#define ETMERLIN_MERLIN_REFERENCE_WALK_H

#include "merlin/deaths.h"

/* Set the first two; the others are zero at first. */
struct reference_walk {
    const struct history *history; /* which keeps references */
    const struct deaths *deaths;   /* of its heap, in a table or a window; NULL: recorded */
    node_t container;              /* of the latest reference */
    slot_t slot;                   /* the next one; 0: none of this container */
    bool has_begun;
};

/* Sets *reference to the next one, whose objects are ids: by container, static fields first;
 * with `only_dead` of containers that have died. Returns whether there is one. */
bool reference_walk_next(struct reference_walk *walk, bool only_dead,
                         struct reference *reference);

struct reference_stream;

/* All references of the trace of `history`, which keeps them: first those that a store ended,
 * in this order, then those that were in place, static fields first, then by container.
 * `deaths` are the computed ones; NULL: they are recorded. With `survivors_die` containers that
 * are alive at the end die there. Both must outlive *out, which the caller owns
 * (reference_stream_close); references can be read once. */
enum status reference_stream_open(struct reference_stream **out, const struct history *history,
                                  const struct deaths *deaths, bool survivors_die,
                                  struct failure *why) MUST_CHECK;

/* Sets *reference to the next one, whose objects are ids and which is never REFERENCE_KEPT.
 * STATUS_END: there is none. */
enum status reference_stream_next(struct reference_stream *stream, struct reference *reference,
                                  struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void reference_stream_close(struct reference_stream *stream);

#endif
