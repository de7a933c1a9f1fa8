/* SPDX-License-Identifier: MIT */
/* A heap without a nursery: what is asked for takes a collection of the whole heap if it does
 * not fit, and after that there is only what is live. So a few sums are all that it needs. */
#include "report/lives/simulated.h"

void simulated_need(uint64_t *smallest, wide_sum bytes)
{
    uint64_t limited = bytes > UINT64_MAX ? UINT64_MAX : (uint64_t)bytes;
    if (limited > *smallest)
        *smallest = limited;
}

void simulated_note_work(struct simulated *heap, uint64_t bytes)
{
    if (bytes > heap->largest)
        heap->largest = bytes;
}

/* A collection of the whole heap: only what is live stays. */
static void collect_whole(struct simulated *heap, uint64_t live)
{
    if (heap->collector == COLLECTOR_SEMISPACE)
        heap->copied += live;
    else
        heap->marked += live;
    heap->major++;
    heap->used = live;
    simulated_note_work(heap, live);
}

void simulated_allocate(struct simulated *heap, uint64_t size, uint64_t live)
{
    uint64_t room = heap->collector == COLLECTOR_SEMISPACE ? heap->heap / 2 : heap->heap;
    if (heap->used + size > room)
        collect_whole(heap, live);
    if (heap->used + size > room) {
        heap->has_ended = true;
        return;
    }
    heap->used += size;
}
