/* SPDX-License-Identifier: MIT */
/* Frames: which methods each thread has entered and not left, and which objects their frames
 * hold (etmerlin-deaths(7)). What pass 1 does at nearly each record (entering, holding, and
 * leaving the innermost frame) is in frames_inline.h. */
#ifndef ETMERLIN_HEAP_FRAMES_H
#define ETMERLIN_HEAP_FRAMES_H

#include "base/status.h"
#include "base/symbols.h"
#include "heap/objects.h"

#include <stdbool.h>
#include <stddef.h>

/* No thread has this number. */
#define NO_THREAD NO_NUMBER

struct frames;

/* The caller owns *out (frames_free). */
enum status frames_new(struct frames **out, struct failure *why) MUST_CHECK;

/* Sets *thread to the number of thread `id`, from 0 in order of appearance. A new thread has no
 * open frame. */
enum status frames_find_thread(struct frames *frames, uint64_t id, uint32_t *thread,
                               struct failure *why) MUST_CHECK;

/* The thread of the latest record, which is nearly always that of the next one. */
struct latest_thread {
    uint64_t id;
    uint32_t number; /* NO_THREAD: there is no record yet */
};

/* Sets *latest to thread `id`, which frames_find_thread looks up unless it is the latest one
 * already. */
static inline enum status MUST_CHECK frames_follow_thread(struct frames *frames, uint64_t id,
                                                          struct latest_thread *latest,
                                                          struct failure *why)
{
    if (id == latest->id && latest->number != NO_THREAD)
        return STATUS_OK;
    latest->id = id;
    return frames_find_thread(frames, id, &latest->number, why);
}

/* The number of thread `id`; NO_THREAD: it has none yet. */
uint32_t frames_known(const struct frames *frames, uint64_t id);

/* The id of thread number `thread`. */
uint64_t frames_thread_id(const struct frames *frames, uint32_t thread);

/* How many threads there are. */
uint32_t frames_thread_count(const struct frames *frames);

/* What an exit did. */
struct frames_left {
    bool matched;       /* the method was open; else nothing was popped */
    uint64_t unwound;   /* frames above the method's, popped with it: they were abandoned */
    const node_t *held; /* what the popped frames held, good until the next call */
    size_t held_count;
    size_t own_count; /* how many of them, at the front, the method's frame held */
};

/* Pops the frames of thread number `number` down to the innermost frame of `method`, which the
 * thread leaves. Sets *left to what was popped. */
enum status frames_leave(struct frames *frames, uint32_t number, uint64_t method,
                         struct frames_left *left, struct failure *why) MUST_CHECK;

/* Pops the `count` innermost frames, which there must be, and sets *left as frames_leave does
 * for an exit from the outermost of them; 0: as for a method that was not open. For threads
 * whose frames are left in no other way. */
void frames_pop_count(struct frames *frames, uint32_t thread, uint64_t count,
                      struct frames_left *left);

/* Replaces each node that a frame holds by moved[node]; none becomes NODE_NONE. */
void frames_move(struct frames *frames, const node_t *moved);

/* How many nodes the open frames of all threads hold. */
size_t frames_held_count(const struct frames *frames);

/* How many holders there are: all threads whose open frames hold nodes, and some threads whose
 * frames have held nodes since the latest frames_move. */
size_t frames_holder_count(const struct frames *frames);

/* The number of the thread that is holder number `holder`, from 0. */
uint32_t frames_holder(const struct frames *frames, size_t holder);

/* The nodes that the open frames of the thread hold, some perhaps more than once. Sets *count
 * to their number. */
const node_t *frames_held(const struct frames *frames, uint32_t thread, size_t *count);

/* The method of open frame number `frame` of the thread, from 0, the outermost. */
uint64_t frames_method(const struct frames *frames, uint32_t thread, size_t frame);

/* The nodes that frame number `frame` of the thread holds, some perhaps more than once. Sets
 * *count to their number. */
const node_t *frames_held_by(const struct frames *frames, uint32_t thread, size_t frame,
                             size_t *count);

/* How many frames of the thread are open. */
size_t frames_depth(const struct frames *frames, uint32_t thread);

/* NULL is allowed. */
void frames_free(struct frames *frames);

#endif
