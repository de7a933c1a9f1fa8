/* SPDX-License-Identifier: MIT */
/* Each thread has a stack of frames and, parallel to it, one stack of held nodes: only the
 * innermost frame gains nodes, so those of a frame are a segment of that stack. Repeated nodes
 * are dropped from a segment that has doubled. Where memory is bounded, what frames hold is
 * walked often, and millions of threads may have ended: so the threads that hold nodes are
 * listed, until nodes are moved and they hold none.
 *
 * An exit is nearly always from the method on top. Only when it is not, the frames are entered
 * into a map from methods to their innermost frames, each frame once: so no exit walks over
 * frames that stay open, and traces with balanced exits never build the map. */
#include "heap/frames_inline.h"

#include <stdlib.h>

enum status frames_new(struct frames **out, struct failure *why)
{
    *out = calloc(1, sizeof **out);
    return *out ? STATUS_OK : fail_memory(why);
}

static enum status frames_add_thread(struct frames *frames, uint64_t id, struct failure *why)
{
    if (!ARRAY_RESERVE(frames->threads, frames->capacity, frames->count + 1))
        return fail_memory(why);
    frames->threads[frames->count++] = (struct thread){.id = id};
    return STATUS_OK;
}

enum status frames_find_thread(struct frames *frames, uint64_t id, uint32_t *thread,
                               struct failure *why)
{
    TRY(interner_add(&frames->numbers, id, "threads", thread, why));
    if (*thread == frames->count)
        TRY(frames_add_thread(frames, id, why));
    return STATUS_OK;
}

uint32_t frames_known(const struct frames *frames, uint64_t id)
{
    return interner_find(&frames->numbers, id);
}

uint64_t frames_thread_id(const struct frames *frames, uint32_t thread)
{
    return frames->threads[thread].id;
}

uint32_t frames_thread_count(const struct frames *frames)
{
    return (uint32_t)frames->count;
}

static int compare_nodes(const void *left, const void *right)
{
    node_t a = *(const node_t *)left, b = *(const node_t *)right;
    return (a > b) - (a < b);
}

/* Leaves each node only once in the segment of the innermost frame. */
static void drop_repetitions(struct thread *thread, struct frame *frame)
{
    node_t *held = thread->held + frame->first_held;
    size_t count = thread->held_count - frame->first_held, kept = 0;
    qsort(held, count, sizeof *held, compare_nodes);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || held[kept - 1] != held[i])
            held[kept++] = held[i];
    frame->distinct = kept;
    thread->held_count = frame->first_held + kept;
}

static enum status add_holder(struct frames *frames, uint32_t number, struct failure *why)
{
    if (!ARRAY_RESERVE(frames->holders, frames->holder_capacity, frames->holder_count + 1))
        return fail_memory(why);
    frames->holders[frames->holder_count++] = number;
    return STATUS_OK;
}

enum status frames_make_room(struct frames *frames, uint32_t number, size_t length,
                             struct failure *why)
{
    struct thread *thread = &frames->threads[number];
    struct frame *frame = &thread->frames[thread->depth - 1];
    if (thread->held_capacity == 0)
        TRY(add_holder(frames, number, why));
    if (length >= FRAMES_FEW_HELD && length >= 2 * frame->distinct)
        drop_repetitions(thread, frame);
    return ARRAY_RESERVE(thread->held, thread->held_capacity, thread->held_count + 1)
               ? STATUS_OK
               : fail_memory(why);
}

/* Adds the frames that are not in the map of methods to it. */
static enum status map_frames(struct thread *thread, struct failure *why)
{
    for (; thread->mapped < thread->depth; thread->mapped++) {
        struct frame *frame = &thread->frames[thread->mapped];
        uint64_t *innermost = map_insert(&thread->methods, frame->method);
        if (!innermost)
            return fail_memory(why);
        frame->outer = *innermost;
        *innermost = thread->mapped + 1;
    }
    return STATUS_OK;
}

/* Sets *frame to the number, from 1, of the innermost frame of `method`; 0: it is not open. */
static enum status find_frame(struct thread *thread, uint64_t method, size_t *frame,
                              struct failure *why)
{
    *frame = thread->depth;
    if (thread->depth == 0 || thread->frames[thread->depth - 1].method == method)
        return STATUS_OK;
    TRY(map_frames(thread, why));
    const uint64_t *innermost = map_find(&thread->methods, method);
    *frame = innermost ? (size_t)*innermost : 0;
    return STATUS_OK;
}

/* Removes all frames but the first `depth` from the map of methods. */
static void unmap_frames(struct thread *thread, size_t depth)
{
    for (; thread->mapped > depth; thread->mapped--) {
        const struct frame *frame = &thread->frames[thread->mapped - 1];
        *map_find(&thread->methods, frame->method) = frame->outer;
    }
}

/* Pops all frames but the first `depth`; there must be at least one more. */
static inline void pop_frames(struct thread *thread, size_t depth, struct frames_left *left)
{
    size_t end = thread->held_count, begin = thread->frames[depth].first_held;
    left->matched = true;
    left->unwound = thread->depth - depth - 1;
    left->held = end > begin ? thread->held + begin : NULL;
    left->held_count = end - begin;
    left->own_count =
        left->unwound == 0 ? end - begin : thread->frames[depth + 1].first_held - begin;
    unmap_frames(thread, depth);
    thread->depth = depth;
    thread->held_count = begin;
}

enum status frames_leave(struct frames *frames, uint32_t number, uint64_t method,
                         struct frames_left *left, struct failure *why)
{
    struct thread *thread = &frames->threads[number];
    size_t frame;
    enum status status = find_frame(thread, method, &frame, why);
    *left = (struct frames_left){.matched = false};
    if (status == STATUS_OK && frame != 0)
        pop_frames(thread, frame - 1, left);
    return status;
}

void frames_pop_count(struct frames *frames, uint32_t number, uint64_t count,
                      struct frames_left *left)
{
    struct thread *thread = &frames->threads[number];
    *left = (struct frames_left){.matched = false};
    if (count > 0)
        pop_frames(thread, thread->depth - count, left);
}

void frames_move(struct frames *frames, const node_t *moved)
{
    size_t kept = 0;
    for (size_t i = 0; i < frames->holder_count; i++) {
        struct thread *thread = &frames->threads[frames->holders[i]];
        if (thread->held_count == 0) {
            free(thread->held);
            thread->held = NULL;
            thread->held_capacity = 0;
            continue;
        }
        frames->holders[kept++] = frames->holders[i];
        for (size_t held = 0; held < thread->held_count; held++)
            thread->held[held] = moved[thread->held[held]];
    }
    frames->holder_count = kept;
}

size_t frames_held_count(const struct frames *frames)
{
    size_t weight = 0;
    for (size_t i = 0; i < frames->holder_count; i++)
        weight += frames->threads[frames->holders[i]].held_count;
    return weight;
}

size_t frames_holder_count(const struct frames *frames)
{
    return frames->holder_count;
}

uint32_t frames_holder(const struct frames *frames, size_t holder)
{
    return frames->holders[holder];
}

const node_t *frames_held(const struct frames *frames, uint32_t number, size_t *count)
{
    *count = frames->threads[number].held_count;
    return frames->threads[number].held;
}

uint64_t frames_method(const struct frames *frames, uint32_t number, size_t frame)
{
    return frames->threads[number].frames[frame].method;
}

const node_t *frames_held_by(const struct frames *frames, uint32_t number, size_t frame,
                             size_t *count)
{
    const struct thread *thread = &frames->threads[number];
    size_t first = thread->frames[frame].first_held;
    size_t end =
        frame + 1 < thread->depth ? thread->frames[frame + 1].first_held : thread->held_count;
    *count = end - first;
    return *count > 0 ? thread->held + first : NULL;
}

size_t frames_depth(const struct frames *frames, uint32_t number)
{
    return frames->threads[number].depth;
}

void frames_free(struct frames *frames)
{
    if (!frames)
        return;
    for (size_t i = 0; i < frames->count; i++) {
        free(frames->threads[i].frames);
        free(frames->threads[i].held);
        map_free(&frames->threads[i].methods);
    }
    interner_free(&frames->numbers);
    free(frames->threads);
    free(frames->holders);
    free(frames);
}
