/* SPDX-License-Identifier: MIT */
/* The stacks of threads as events show them, for the conversion; the engine keeps its own, by
 * the records that the conversion makes.
 *
 * Frames are mostly left in the reverse order of their entries. Only when an event is of
 * another method than the innermost frame, frames are added to a map from methods to their
 * innermost frames, each frame once: so no event walks over frames that stay open. */
#include "formats/selogger/conversion.h"

#include "base/memory.h"

#include <stdlib.h>

/* Each entry of the index keeps the position that each of its keys had before, so that removing
 * the entry restores that: the map follows the list at a constant cost for each entry. */

struct waiting_entry {
    uint64_t keys[WAITING_KEYS];
    size_t older[WAITING_KEYS]; /* the next older position of the same key; 0: none */
};

enum status waiting_index_add(struct waiting_index *index, const uint64_t keys[WAITING_KEYS],
                              struct failure *why)
{
    if (!ARRAY_RESERVE(index->items, index->capacity, index->count + 1))
        return fail_memory(why);
    struct waiting_entry *entry = &index->items[index->count];
    for (unsigned i = 0; i < WAITING_KEYS; i++) {
        uint64_t *youngest = map_insert(&index->youngest, keys[i]);
        if (!youngest)
            return fail_memory(why);
        entry->keys[i] = keys[i];
        entry->older[i] = (size_t)*youngest;
        *youngest = index->count + 1;
    }
    index->count++;
    return STATUS_OK;
}

size_t waiting_index_find(const struct waiting_index *index, uint64_t key)
{
    const uint64_t *youngest = map_find(&index->youngest, key);
    return youngest ? (size_t)*youngest : 0;
}

/* Removes all entries but the first `count`. */
static void waiting_index_cut(struct waiting_index *index, size_t count)
{
    while (index->count > count) {
        const struct waiting_entry *entry = &index->items[--index->count];
        for (unsigned i = 0; i < WAITING_KEYS; i++)
            *map_find(&index->youngest, entry->keys[i]) = entry->older[i];
    }
}

static struct sel_thread *add_thread(struct threads *threads, uint32_t id)
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
        if (!add_thread(threads, id))
            return NULL;
        *number = threads->count;
    }
    return threads->latest = threads->items[*number - 1];
}

/* Adds the frames that are not in the map of methods to it. */
static enum status map_frames(struct sel_thread *thread, struct failure *why)
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
    TRY(map_frames(thread, why));
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
    waiting_index_cut(&thread->index, count);
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
        map_free(&threads->items[i]->index.youngest);
        free(threads->items[i]->index.items);
        free(threads->items[i]);
    }
    free(threads->items);
    map_free(&threads->numbers);
    *threads = (struct threads){.items = NULL};
}
