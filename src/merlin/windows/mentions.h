/* SPDX-License-Identifier: MIT */
/* The second reading: the last record that names each object.
 *
 * It goes backward, so that an object is met first where it is named last. Where the object
 * begins, the number of that record is handed out and forgotten: only objects between their
 * first record and their last one are remembered. */
#ifndef ETMERLIN_MERLIN_WINDOWS_MENTIONS_H
#define ETMERLIN_MERLIN_WINDOWS_MENTIONS_H

#include "io/number_stack.h"
#include "merlin/last_use.h"
#include "trace/batch.h"

struct births;
struct mentions;

/* Where the second reading puts what it finds. */
struct mentions_found {
    /* For each node, the number (from 1) of the last record that names it: in the end the node
     * that begins first is on top. */
    struct number_stack *lasts;
    /* The number of each M whose frame is abandoned (etmerlin-deaths(7)). NULL:
     * frames hold nothing. */
    struct number_stack *abandoned;
    /* For each node the number that numbering.h gives it. NULL: not wanted. */
    struct number_stack *numbers;
};

/* For the records, allocations and nodes that `births` has counted. The stacks of *found must
 * stay. With `explicit_time` all records are of one thread. The caller owns *out
 * (mentions_close). */
enum status mentions_open(struct mentions **out, const struct births *births,
                          bool explicit_time, const struct mentions_found *found,
                          struct failure *why) MUST_CHECK;

/* Goes on with the records of `batch`, from the last one to the first. */
enum status mentions_add(struct mentions *mentions, const struct batch *batch,
                         struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void mentions_close(struct mentions *mentions);

#endif
