/* SPDX-License-Identifier: MIT */
/* How many of the frames that were open at a birth are still open later: of births of which it
 * is known only later how far to look. */
#ifndef ETMERLIN_HEAP_FRAME_EXITS_H
#define ETMERLIN_HEAP_FRAME_EXITS_H

#include "io/spool.h"

struct frame_exits;

/* With `temporary`, most of what is added goes to a temporary file there, unless it is little,
 * and frame_exits_restart may not be called; NULL: it is kept in memory. The caller owns *out
 * (frame_exits_free). */
enum status frame_exits_new(struct frame_exits **out, const struct temporary_folder *temporary,
                            struct failure *why) MUST_CHECK;

/* Thread number `thread` has left frames at the boundary `tick`, which is not before that of
 * the call before: `depth` are still open. The call may be left out if nothing has been born in
 * the frames that are left, or in their callees, since the thread last left `depth` open. */
enum status frame_exits_leave(struct frame_exits *exits, uint32_t thread, uint32_t depth,
                              uint64_t tick, struct failure *why) MUST_CHECK;

/* Goes on to `tick`, which is not before that of the call before: from here on
 * frame_exits_still_open is asked for that moment. Nothing is added any more, unless what has
 * been added is passed in full and frame_exits_restart called. */
enum status frame_exits_pass(struct frame_exits *exits, uint64_t tick,
                             struct failure *why) MUST_CHECK;

/* Forgets all exits: all that have been added have been passed. More may be added then. */
void frame_exits_restart(struct frame_exits *exits);

/* Of the `depth` frames that were open on `thread` when it allocated, in tick `birth`: how many
 * are open in the tick that frame_exits_pass went on to, or at the birth if that is later. */
uint32_t frame_exits_still_open(const struct frame_exits *exits, uint32_t thread,
                                uint32_t depth, uint64_t birth);

/* NULL is allowed. */
void frame_exits_free(struct frame_exits *exits);

#endif
