/* SPDX-License-Identifier: MIT */
/* The second reading: finds the last record that names each object.
 *
 * It goes backward, so that it meets an object first where it is named last. Where the object
 * begins, the number of its last record is stored and forgotten: only objects between their
 * first and their last record are kept in memory. */
#ifndef ETMERLIN_MERLIN_WINDOWS_MENTIONS_H
#define ETMERLIN_MERLIN_WINDOWS_MENTIONS_H

#include "io/temporary/numbers.h"
#include "merlin/pass.h"
#include "trace/batch.h"

struct births;
struct mentions;

/* The stacks to which the second reading adds what it finds. */
struct mentions_found {
    /* For each node the number, from 1, of the last record that names it; at the end the node
     * that begins first is on top. */
    struct number_stack *lasts;
    /* The number of each M record whose frame is abandoned (etmerlin-deaths(7)). NULL: it does
     * not matter, since frames hold nothing or hold until they are popped. */
    struct number_stack *abandoned;
    /* For each node the number that numbering.h gives it. NULL: they are not wanted. */
    struct number_stack *numbers;
};

/* Begins the second reading, of the records that `births` has counted. The stacks of *found
 * must outlive *out. With `explicit_time` all records are of one thread. The caller owns *out
 * (mentions_close). */
enum status mentions_open(struct mentions **out, const struct births *births,
                          bool explicit_time, const struct mentions_found *found,
                          struct failure *why) MUST_CHECK;

/* Reads the records of `batch`, from the last one to the first. */
enum status mentions_add(struct mentions *mentions, const struct batch *batch,
                         struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void mentions_close(struct mentions *mentions);

#endif
