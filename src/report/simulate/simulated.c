/* SPDX-License-Identifier: MIT */
/* What collectors do when something does not fit. After a collection of the whole heap there is
 * only what is live, so a few sums are all that a heap needs. A generational collection never
 * changes which of the live objects are young, so the caller can add up their sizes without
 * looking at heaps: by age in the nurseries. All young objects grow older at the same moments,
 * so these sums move along by one age, and no object has an age of its own. */
#include "report/simulate/simulated.h"

#include <string.h>

void simulated_need(uint64_t *smallest, wide_sum bytes)
{
    uint64_t limited = bytes > UINT64_MAX ? UINT64_MAX : (uint64_t)bytes;
    if (limited > *smallest)
        *smallest = limited;
}

/* Notes that a collection has copied, promoted or marked `bytes` bytes. */
static void simulated_note_work(struct simulated *heap, uint64_t bytes)
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

void nursery_empty(struct nursery *nursery, uint64_t number)
{
    memmove(nursery->bounds + 1, nursery->bounds, TENURE_MOST * sizeof *nursery->bounds);
    memmove(nursery->live + 1, nursery->live, TENURE_MOST * sizeof *nursery->live);
    nursery->bounds[0] = number;
    nursery->live[0] = 0;
    nursery->eden = 0;
}

void nursery_add(struct nursery *nursery, uint64_t size)
{
    nursery->eden += size;
    nursery->live[0] += size;
}

void nursery_remove(struct nursery *nursery, const struct heap_death *death)
{
    unsigned age = nursery_age(nursery, death->kind, death->number, death->size);
    if (age != AGE_OLD)
        nursery->live[age] -= death->size;
}

uint64_t nursery_live(const struct nursery *nursery, unsigned first, unsigned end)
{
    uint64_t sum = 0;
    for (unsigned age = first; age < end; age++)
        sum += nursery->live[age];
    return sum;
}

/* Marks the whole heap: only what is live stays. */
static void collect_major(struct simulated *heap, const struct live_parts *live,
                          uint64_t number)
{
    heap->marked += live->all;
    heap->major++;
    heap->used = live->old;
    heap->survivors = live->staying;
    heap->dead_promoted = heap->dead_staying = 0;
    heap->major_at = number + 1;
    simulated_note_work(heap, live->all);
}

/* Whether the old space has room for `more` bytes when so many that survived are young. */
static bool has_room(const struct simulated *heap, wide_sum more, uint64_t young)
{
    return heap->used + more + young + heap->nursery <= heap->heap;
}

void simulated_collect_minor(struct simulated *heap, const struct live_parts *live,
                             uint64_t number)
{
    if (!has_room(heap, live->promoted + heap->dead_promoted,
                  live->staying + heap->dead_staying))
        collect_major(heap, live, number);
    uint64_t promoted = live->promoted + heap->dead_promoted;
    uint64_t staying = live->staying + heap->dead_staying;
    if (!has_room(heap, promoted, staying)) {
        heap->has_ended = true;
        return;
    }
    heap->minor++;
    heap->promoted += promoted;
    heap->nepotism += heap->dead_promoted;
    heap->copied += staying;
    heap->used += promoted;
    heap->survivors = staying;
    simulated_note_work(heap, promoted + staying);
}

void simulated_allocate_old(struct simulated *heap, uint64_t size,
                            const struct live_parts *live, uint64_t number)
{
    if (!has_room(heap, size, heap->survivors))
        collect_major(heap, live, number);
    if (!has_room(heap, size, heap->survivors)) {
        heap->has_ended = true;
        return;
    }
    heap->used += size;
}
