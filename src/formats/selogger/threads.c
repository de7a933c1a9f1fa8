#include "formats/selogger/threads.h"

#include "base/memory.h"

#include <stdlib.h>

static struct thread *add_thread(struct threads *threads, uint32_t id)
{
    struct thread **items =
        array_grow(threads->items, &threads->capacity, threads->count + 1, sizeof *items);
    if (!items)
        return NULL;
    threads->items = items;
    struct thread *thread = calloc(1, sizeof *thread);
    if (!thread)
        return NULL;
    thread->id = id;
    thread->operation.data_id = NO_DATA_ID;
    items[threads->count++] = thread;
    return thread;
}

struct thread *threads_look_up(struct threads *threads, uint32_t id)
{
    uint64_t *number = map_insert(&threads->numbers, id);
    if (!number)
        return NULL;
    if (*number == 0) {
        if (!add_thread(threads, id))
            return NULL;
        *number = threads->count;
    }
    return threads->latest = threads->items[*number - 1];
}

size_t thread_frames_above(const struct thread *thread, uint32_t method)
{
    for (size_t i = thread->frame_count; i > 0; i--)
        if (thread->frames[i - 1].method == method)
            return thread->frame_count - i;
    return 0;
}

struct frame *thread_push(struct thread *thread, uint32_t method)
{
    struct frame *frames = array_grow(thread->frames, &thread->frame_capacity,
                                      thread->frame_count + 1, sizeof *frames);
    if (!frames)
        return NULL;
    thread->frames = frames;
    struct frame *frame = &frames[thread->frame_count++];
    *frame = (struct frame){.method = method,
                            .call = NO_DATA_ID,
                            .birth = NO_BIRTH,
                            .waiting = thread->waiting_count};
    return frame;
}

void thread_pop(struct thread *thread)
{
    thread->frame_count--;
    thread->waiting_count = thread->frames[thread->frame_count].waiting;
}

enum status thread_wait(struct thread *thread, const struct waiting *waiting,
                        struct failure *why)
{
    struct waiting *items = array_grow(thread->waiting, &thread->waiting_capacity,
                                       thread->waiting_count + 1, sizeof *items);
    if (!items)
        return fail_memory(why);
    thread->waiting = items;
    items[thread->waiting_count++] = *waiting;
    return STATUS_OK;
}

void threads_free(struct threads *threads)
{
    for (size_t i = 0; i < threads->count; i++) {
        free(threads->items[i]->frames);
        free(threads->items[i]->waiting);
        free(threads->items[i]->captured);
        free(threads->items[i]);
    }
    free(threads->items);
    map_free(&threads->numbers);
    *threads = (struct threads){.items = NULL};
}
