/* SPDX-License-Identifier: MIT */
/* Method entries and exits of each thread are matched by the rules of the engine
 * (heap/frames.h), so that validation and deaths cannot disagree about a frame. */
#include "report/validate/calls.h"

#include "base/memory.h"
#include "heap/frames_inline.h"

#include <stdlib.h>

enum status calls_init(struct calls *calls, struct failure *why)
{
    *calls = (struct calls){.frames = NULL};
    return frames_new(&calls->frames, why);
}

enum status calls_find_thread(struct calls *calls, uint64_t id, uint32_t *thread,
                              struct failure *why)
{
    enum status status = frames_find_thread(calls->frames, id, thread, why);
    if (status != STATUS_OK || *thread < calls->count)
        return status;
    if (!ARRAY_RESERVE(calls->threads, calls->capacity, calls->count + 1))
        return fail_memory(why);
    calls->threads[calls->count++] = (struct thread_calls){.id = id};
    return STATUS_OK;
}

enum status calls_enter(struct calls *calls, uint32_t number, uint64_t method, uint64_t line,
                        struct failure *why)
{
    struct thread_calls *thread = &calls->threads[number];
    if (!ARRAY_RESERVE(thread->lines, thread->line_capacity, thread->open + 1))
        return fail_memory(why);
    thread->lines[thread->open++] = line;
    thread->entries++;
    return frames_enter(calls->frames, number, method, why);
}

enum status calls_leave(struct calls *calls, uint32_t number, uint64_t method, bool *matched,
                        uint64_t *unwound, struct failure *why)
{
    struct thread_calls *thread = &calls->threads[number];
    struct frames_left left;
    enum status status = frames_leave(calls->frames, number, method, &left, why);
    if (status != STATUS_OK)
        return status;
    thread->exits++;
    thread->unmatched += !left.matched;
    thread->unwound += left.unwound;
    thread->open = frames_depth(calls->frames, number);
    *matched = left.matched;
    *unwound = left.unwound;
    return STATUS_OK;
}

void calls_free(struct calls *calls)
{
    for (size_t i = 0; i < calls->count; i++)
        free(calls->threads[i].lines);
    free(calls->threads);
    frames_free(calls->frames);
    *calls = (struct calls){.frames = NULL};
}
