/* SPDX-License-Identifier: MIT */
/* The stacks of threads as the events show them, for the conversion; the engine keeps its own
 * from the records that come out.
 *
 * Frames are mostly left in the order in which they were opened. Only when an event is of a
 * method that is not the innermost one, frames are entered into a map from methods to their
 * innermost frames, each frame once: so no event walks frames that stay. */
#include "formats/selogger/threads.h"

#include "base/memory.h"

#include <stdlib.h>

static struct sel_thread *sel_threads_add_thread(struct threads *threads, uint32_t id)
{
    if (!ARRAY_RESERVE(threads->items, threads->capacity, threads->count + 1))
        return NULL;
    struct sel_thread *thread = calloc(1, sizeof *thread);
    if (!thread)
        return NULL;
    thread->id = id;
    thread->operation.data_id = NO_DATA_ID;
    threads->items[threads->count++] = thread;
    return thread;
}

struct sel_thread *threads_look_up(struct threads *threads, uint32_t id)
{
    uint64_t *number = map_insert(&threads->numbers, id);
    if (!number)
        return NULL;
    if (*number == 0) {
        if (!sel_threads_add_thread(threads, id))
            return NULL;
        *number = threads->count;
    }
    return threads->latest = threads->items[*number - 1];
}

/* Enters the frames that are not in the map of methods. */
static enum status sel_thread_map_frames(struct sel_thread *thread, struct failure *why)
{
    for (; thread->mapped < thread->frame_count; thread->mapped++) {
        struct sel_frame *frame = &thread->frames[thread->mapped];
        uint64_t *innermost = map_insert(&thread->methods, frame->method);
        if (!innermost)
            return fail_memory(why);
        frame->outer = (size_t)*innermost;
        *innermost = thread->mapped + 1;
    }
    return STATUS_OK;
}

enum status thread_frames_above(struct sel_thread *thread, uint32_t method, size_t *above,
                                struct failure *why)
{
    enum status status = sel_thread_map_frames(thread, why);
    if (status != STATUS_OK)
        return status;
    const uint64_t *innermost = map_find(&thread->methods, method);
    *above = innermost && *innermost > 0 ? thread->frame_count - (size_t)*innermost : 0;
    return STATUS_OK;
}

struct sel_frame *thread_push(struct sel_thread *thread, uint32_t method)
{
    if (!ARRAY_RESERVE(thread->frames, thread->frame_capacity, thread->frame_count + 1))
        return NULL;
    struct sel_frame *frame = &thread->frames[thread->frame_count++];
    *frame = (struct sel_frame){.method = method,
                                .call = NO_DATA_ID,
                                .birth = NO_BIRTH,
                                .waiting = thread->waiting_count};
    return frame;
}

void thread_pop(struct sel_thread *thread)
{
    const struct sel_frame *frame = &thread->frames[--thread->frame_count];
    if (thread->frame_count < thread->mapped) {
        *map_find(&thread->methods, frame->method) = frame->outer;
        thread->mapped = thread->frame_count;
    }
    thread_stop_waiting(thread, frame->waiting);
}

void thread_stop_waiting(struct sel_thread *thread, size_t count)
{
    waiting_places_cut(&thread->places, count);
    thread->waiting_count = count;
}

enum status thread_wait(struct sel_thread *thread, const struct waiting *waiting,
                        struct failure *why)
{
    if (!ARRAY_RESERVE(thread->waiting, thread->waiting_capacity, thread->waiting_count + 1))
        return fail_memory(why);
    thread->waiting[thread->waiting_count++] = *waiting;
    return STATUS_OK;
}

void threads_free(struct threads *threads)
{
    for (size_t i = 0; i < threads->count; i++) {
        map_free(&threads->items[i]->methods);
        free(threads->items[i]->frames);
        free(threads->items[i]->waiting);
        free(threads->items[i]->captured);
        waiting_places_free(&threads->items[i]->places);
        free(threads->items[i]);
    }
    free(threads->items);
    map_free(&threads->numbers);
    *threads = (struct threads){.items = NULL};
}
