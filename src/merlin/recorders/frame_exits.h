/* SPDX-License-Identifier: MIT */
/* How many of the frames that were open at a birth are still open at a later moment, which is
 * not yet known at the birth. */
#ifndef ETMERLIN_MERLIN_RECORDERS_FRAME_EXITS_H
#define ETMERLIN_MERLIN_RECORDERS_FRAME_EXITS_H

#include "io/temporary/spool.h"

struct frame_exits;

/* With `temporary`, what is added goes to a temporary file there, unless it is little, and
 * frame_exits_restart may not be called. NULL: it stays in memory. The caller owns *out
 * (frame_exits_free). */
enum status frame_exits_new(struct frame_exits **out, const struct temporary_folder *temporary,
                            struct failure *why) MUST_CHECK;

/* Records that thread number `thread` has left frames at the boundary `tick`, and `depth`
 * frames are still open. `tick` is not before that of the call before. The call may be left out
 * if nothing has been born in the frames that are left, or in their callees, since the thread
 * last had just `depth` frames open after an exit. */
enum status frame_exits_leave(struct frame_exits *exits, uint32_t thread, uint32_t depth,
                              uint64_t tick, struct failure *why) MUST_CHECK;

/* Moves to the moment `tick`, which is not before that of the call before, and is what
 * frame_exits_still_open refers to from now on. No exit may be added after the first call,
 * until all exits have been passed and frame_exits_restart has been called. */
enum status frame_exits_pass(struct frame_exits *exits, uint64_t tick,
                             struct failure *why) MUST_CHECK;

/* Forgets all exits, which must all have been passed. More may be added afterwards. */
void frame_exits_restart(struct frame_exits *exits);

/* How many of the `depth` frames that were open in thread number `thread` when it allocated, in
 * tick `birth`, are still open in the tick that frame_exits_pass moved to, or at the birth if
 * that is later. */
uint32_t frame_exits_still_open(const struct frame_exits *exits, uint32_t thread,
                                uint32_t depth, uint64_t birth);

/* NULL is allowed. */
void frame_exits_free(struct frame_exits *exits);

#endif
