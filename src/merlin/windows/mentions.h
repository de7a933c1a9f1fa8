/* SPDX-License-Identifier: MIT */
/* The second reading: the last record that names each object.
 *
 * It goes backward, so that an object is met first where it is named last; where it begins,
 * that is handed out and forgotten. What is kept at a time is what lies between the two. */
#ifndef ETMERLIN_MERLIN_WINDOWS_MENTIONS_H
#define ETMERLIN_MERLIN_WINDOWS_MENTIONS_H

#include "io/number_stack.h"
#include "merlin/last_use.h"
#include "trace/batch.h"

struct mentions;

/* For the `records` records that births.h has made. For each node, the number (from 1) of the
 * last record that names it is pushed on `lasts`: in the end the node that begins first is on
 * top. If frames are to be told (`abandoned` is not NULL), the number of each M whose frame is
 * abandoned (etmerlin(1), "What frames hold") is pushed there. Both must stay. With
 * `explicit_time` all records are of one thread. The caller owns *out (mentions_close). */
enum status mentions_open(struct mentions **out, uint64_t records, bool explicit_time,
                          struct number_stack *lasts, struct number_stack *abandoned,
                          struct failure *why) MUST_CHECK;

/* Goes on with the records of `batch`, from the last one to the first. */
enum status mentions_add(struct mentions *mentions, const struct batch *batch,
                         struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void mentions_close(struct mentions *mentions);

#endif
