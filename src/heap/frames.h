/* SPDX-License-Identifier: MIT */
/* Frames: which methods each thread has entered and not left, and which objects their frames
 * hold (etmerlin(1), "What frames hold"). */
#ifndef ETMERLIN_HEAP_FRAMES_H
#define ETMERLIN_HEAP_FRAMES_H

#include "base/map.h"
#include "base/memory.h"
#include "base/status.h"
#include "heap/node.h"

#include <stdbool.h>
#include <stddef.h>

/* Frames are open so that what pass 1 does at nearly each record can be inlined; only frames.c
 * and the functions here look into them. */
struct frame {
    uint64_t method;
    size_t first_held; /* where its segment of held nodes begins */
    size_t distinct;   /* nodes of the segment when it was last freed of repetitions */
    uint64_t outer; /* next frame outwards of the same method, from 1; 0: none or not mapped */
};

struct thread {
    uint64_t id;
    struct frame *frames; /* the innermost is the last */
    size_t depth;
    size_t frame_capacity;
    node_t *held;
    size_t held_count;
    size_t held_capacity;
    size_t mapped;      /* so many of the outermost frames are in the map */
    struct map methods; /* method -> its innermost mapped frame, from 1; 0: none */
};

/* The number of no thread. */
#define NO_THREAD UINT32_MAX

struct frames {
    struct thread *threads;
    size_t count;
    size_t capacity;
    struct map numbers; /* thread id -> its number, from 1 */
};

/* Held nodes of a frame among which repetitions are not looked for. */
enum { FRAMES_FEW_HELD = 64 };

/* The caller owns *out (frames_free). */
enum status frames_new(struct frames **out, struct failure *why) MUST_CHECK;

/* Finds the number of thread `id`, from 0 on in order of appearance; a new one
 * has no open frame. */
enum status frames_find_thread(struct frames *frames, uint64_t id, uint32_t *thread,
                               struct failure *why) MUST_CHECK;

/* The number of thread `id`; NO_THREAD: it has not been found before. */
uint32_t frames_known(const struct frames *frames, uint64_t id);

/* The id of thread number `thread`. */
uint64_t frames_thread_id(const struct frames *frames, uint32_t thread);

/* How many threads there are. */
uint32_t frames_thread_count(const struct frames *frames);

/* Thread number `thread` enters `method`. */
static inline enum status MUST_CHECK frames_enter(struct frames *frames, uint32_t number,
                                                  uint64_t method, struct failure *why)
{
    struct thread *thread = &frames->threads[number];
    struct frame *stack =
        array_grow(thread->frames, &thread->frame_capacity, thread->depth + 1, sizeof *stack);
    if (!stack)
        return fail_memory(why);
    thread->frames = stack;
    stack[thread->depth++] = (struct frame){.method = method, .first_held = thread->held_count};
    return STATUS_OK;
}

/* What frames_hold does before it can add a node to the innermost frame, which has `length` of
 * them: drops repetitions where that may pay, and makes room. */
enum status frames_make_room(struct thread *thread, size_t length,
                             struct failure *why) MUST_CHECK;

/* The innermost frame of the thread holds `node` until it is popped. Nothing
 * when no frame is open or `node` is NODE_NONE. */
static inline enum status MUST_CHECK frames_hold(struct frames *frames, uint32_t number,
                                                 node_t node, struct failure *why)
{
    struct thread *thread = &frames->threads[number];
    if (thread->depth == 0 || node == NODE_NONE)
        return STATUS_OK;
    size_t length = thread->held_count - thread->frames[thread->depth - 1].first_held;
    if (thread->held_count == thread->held_capacity || length >= FRAMES_FEW_HELD) {
        enum status status = frames_make_room(thread, length, why);
        if (status != STATUS_OK)
            return status;
    }
    thread->held[thread->held_count++] = node;
    return STATUS_OK;
}

/* What an exit did. */
struct frames_left {
    bool matched;       /* the method was open; if not, nothing was popped */
    uint64_t unwound;   /* frames above the method's, popped with it: they were abandoned */
    const node_t *held; /* what the popped frames held, good until the next call */
    size_t held_count;
    size_t own_count; /* the first so many of them are what the method's frame held */
};

/* Pops the innermost frame if it is the method's, and sets *held and *count to what it held,
 * good until the next call. False: nothing is popped; frames_leave is the function for all
 * cases. */
static inline bool frames_leave_top(struct frames *frames, uint32_t number, uint64_t method,
                                    const node_t **held, size_t *count)
{
    struct thread *thread = &frames->threads[number];
    if (thread->depth == thread->mapped || thread->frames[thread->depth - 1].method != method)
        return false;
    size_t first_held = thread->frames[--thread->depth].first_held;
    *count = thread->held_count - first_held;
    *held = *count > 0 ? thread->held + first_held : NULL;
    thread->held_count = first_held;
    return true;
}

/* The thread leaves `method`: pops down to the innermost frame of the method. */
enum status frames_leave(struct frames *frames, uint32_t number, uint64_t method,
                         struct frames_left *left, struct failure *why) MUST_CHECK;

/* Pops the `count` innermost frames, of which there are as many: the outermost of them is what
 * is left; 0: the method was not open. For threads whose frames are left in no other way. */
void frames_pop_count(struct frames *frames, uint32_t thread, uint64_t count,
                      struct frames_left *left);

/* Each node that a frame holds becomes moved[node]; none becomes NODE_NONE. */
void frames_move(struct frames *frames, const node_t *moved);

/* How many nodes the open frames of all threads hold. */
size_t frames_held_count(const struct frames *frames);

/* What the open frames of the thread hold; *count of them, some perhaps more than once. */
const node_t *frames_held(const struct frames *frames, uint32_t thread, size_t *count);

/* How many frames of the thread are open. */
size_t frames_depth(const struct frames *frames, uint32_t thread);

/* NULL is allowed. */
void frames_free(struct frames *frames);

#endif
