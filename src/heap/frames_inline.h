/* SPDX-License-Identifier: MIT */
/* The part of frames that pass 1 needs at nearly each record: public so that it can be inlined.
 * Only frames.c and the functions here use the members. */
#ifndef ETMERLIN_HEAP_FRAMES_INLINE_H
#define ETMERLIN_HEAP_FRAMES_INLINE_H

#include "base/map.h"
#include "base/memory.h"
#include "base/symbols.h"
#include "heap/frames.h"

struct frame {
    uint64_t method;
    size_t first_held; /* where its segment of held nodes begins */
    size_t distinct;   /* nodes in the segment when repeated ones were last dropped */
    uint64_t outer;    /* the next outer frame of the method, from 1; 0: none, or not mapped */
};

struct thread {
    uint64_t id;
    struct frame *frames; /* the innermost is the last */
    size_t depth;
    size_t frame_capacity;
    node_t *held;
    size_t held_count;
    size_t held_capacity; /* 0 exactly if the thread is not among the holders */
    size_t mapped;        /* how many of the outermost frames are in the map */
    struct map methods;   /* method -> its innermost mapped frame, from 1; 0: none */
};

struct frames {
    struct thread *threads;
    size_t count;
    size_t capacity;
    struct interner numbers; /* of thread ids */
    uint32_t *holders; /* numbers of threads: all whose frames hold nodes, and some others */
    size_t holder_count;
    size_t holder_capacity;
};

/* A frame that holds fewer nodes is not searched for repeated ones. */
enum { FRAMES_FEW_HELD = 64 };

/* Thread number `thread` enters `method`. */
static inline enum status MUST_CHECK frames_enter(struct frames *frames, uint32_t number,
                                                  uint64_t method, struct failure *why)
{
    struct thread *thread = &frames->threads[number];
    if (!ARRAY_RESERVE(thread->frames, thread->frame_capacity, thread->depth + 1))
        return fail_memory(why);
    thread->frames[thread->depth++] =
        (struct frame){.method = method, .first_held = thread->held_count};
    return STATUS_OK;
}

/* Called by frames_hold when it cannot simply add a node to the thread's innermost frame, which
 * holds `length` nodes: drops repeated nodes where that may pay, makes room, and lists the
 * thread as a holder. */
enum status frames_make_room(struct frames *frames, uint32_t number, size_t length,
                             struct failure *why) MUST_CHECK;

/* Makes the innermost frame of the thread hold `node` until the frame is popped. Does nothing
 * if no frame is open or `node` is NODE_NONE. */
static inline enum status MUST_CHECK frames_hold(struct frames *frames, uint32_t number,
                                                 node_t node, struct failure *why)
{
    struct thread *thread = &frames->threads[number];
    if (thread->depth == 0 || node == NODE_NONE)
        return STATUS_OK;
    size_t length = thread->held_count - thread->frames[thread->depth - 1].first_held;
    if (thread->held_count == thread->held_capacity || length >= FRAMES_FEW_HELD) {
        enum status status = frames_make_room(frames, number, length, why);
        if (status != STATUS_OK)
            return status;
    }
    thread->held[thread->held_count++] = node;
    return STATUS_OK;
}

/* Pops the innermost frame if it is the method's and is not in the map of methods. Sets *held
 * and *count to the nodes that it held, good until the next call. False: nothing is popped, and
 * the caller must use frames_leave, which handles all cases. */
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

#endif
