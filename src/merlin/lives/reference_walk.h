/* SPDX-License-Identifier: MIT */
/* A walk over the references that are in place in a heap, and a stream of all references of a
 * trace. */
#ifndef ETMERLIN_MERLIN_LIVES_REFERENCE_WALK_H
#define ETMERLIN_MERLIN_LIVES_REFERENCE_WALK_H

#include "merlin/deaths.h"

/* Set the first two members; the others are zero at first. */
struct reference_walk {
    const struct pass *pass;     /* which must keep references */
    const struct deaths *deaths; /* of its heap, a table or a window; NULL: they are recorded */
    node_t container;            /* of the latest reference */
    slot_t slot;                 /* the next one; 0: the container has no more */
    bool has_begun;
};

/* Sets *reference to the next reference, with ids of objects: static fields first, then by
 * container; with `only_dead` only those of containers that have died. False: there are no
 * more. */
bool reference_walk_next(struct reference_walk *walk, bool only_dead,
                         struct reference *reference);

struct reference_stream;

/* Opens all references of the trace of `pass`, which must keep them: first those that a
 * store ended, in this order, then those that stayed in place, static fields first, then by
 * container. `deaths` are the computed deaths; NULL: they are recorded. With `survivors_die`
 * containers that are alive at the end die there. Both must outlive *out, which the caller owns
 * (reference_stream_close). The references can be read only once. */
enum status reference_stream_open(struct reference_stream **out, const struct pass *pass,
                                  const struct deaths *deaths, bool survivors_die,
                                  struct failure *why) MUST_CHECK;

/* Sets *reference to the next reference, with ids of objects; its end is never REFERENCE_KEPT.
 * STATUS_END: there are no more. */
enum status reference_stream_next(struct reference_stream *stream, struct reference *reference,
                                  struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void reference_stream_close(struct reference_stream *stream);

#endif
