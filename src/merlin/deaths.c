#include "merlin/deaths.h"

#include "base/memory.h"
#include "base/thread.h"
#include "merlin/sort.h"

#include <stdlib.h>

/* Parts the allocated objects into those that a boundary finds dead and those it does not.
 * Both parts share one array, the living behind the dead. */
static enum status part(struct deaths *deaths, struct failure *why)
{
    size_t count;
    const node_t *allocations = objects_allocations(deaths->history->heap.objects, &count);
    uint64_t ticks = deaths->history->clock.now;
    deaths->dead = array_new(count, sizeof *deaths->dead);
    if (!deaths->dead)
        return fail_memory(why);
    for (size_t i = 0; i < count; i++)
        if (deaths->last_reached[allocations[i]] < ticks)
            deaths->dead[deaths->dead_count++] = allocations[i];
    deaths->alive = deaths->dead + deaths->dead_count;
    for (size_t i = 0; i < count; i++)
        if (deaths->last_reached[allocations[i]] >= ticks)
            deaths->alive[deaths->alive_count++] = allocations[i];
    return STATUS_OK;
}

static enum status compute(struct deaths *deaths, const struct history *history,
                           enum unallocated unallocated, struct failure *why)
{
    *deaths = (struct deaths){.history = history};
    enum status status = propagate(&history->heap, unallocated, &deaths->last_reached, why);
    if (status == STATUS_OK)
        status = part(deaths, why);
    if (status == STATUS_OK)
        status = sort_nodes(deaths->dead, deaths->dead_count, deaths->last_reached,
                            history->clock.now, why);
    return status;
}

/* Up to so many nodes, the index may be released while the propagation takes memory. */
enum { NODES_ASIDE = 1024 * 1024 };

static void *drop_index(void *objects)
{
    objects_drop_index(objects);
    return NULL;
}

enum status deaths_compute(struct deaths *deaths, struct history *history,
                           enum unallocated unallocated, struct failure *why)
{
    struct objects *objects = history->heap.objects;
    pthread_t thread;
    /* The index takes as long to release as the propagation, but is nearly half of the memory:
     * only as long as that is little may both be there at once. */
    bool aside = history->threads > 1 && objects_count(objects) <= NODES_ASIDE &&
                 thread_start(&thread, drop_index, objects) == 0;
    if (!aside)
        objects_drop_index(objects);
    enum status status = compute(deaths, history, unallocated, why);
    if (aside)
        pthread_join(thread, NULL);
    return status;
}

uint64_t deaths_tick(const struct deaths *deaths, size_t index)
{
    return deaths->last_reached[deaths->dead[index]] + 1;
}

uint64_t deaths_next_tick(const struct deaths *deaths, size_t *next)
{
    if (*next == deaths->dead_count)
        return UINT64_MAX;
    uint64_t tick = deaths_tick(deaths, *next);
    while (*next < deaths->dead_count && deaths_tick(deaths, *next) == tick)
        ++*next;
    return tick;
}

struct record deaths_record(const struct deaths *deaths, node_t node, uint64_t time,
                            const uint64_t *thread)
{
    const struct heap *heap = &deaths->history->heap;
    return (struct record){
        .kind = RECORD_DEATH,
        .object = objects_id(heap->objects, node),
        .death_thread =
            thread ? *thread
                   : frames_thread_id(heap->frames, objects_thread(heap->objects, node)),
        .time = time,
    };
}

void deaths_free(struct deaths *deaths)
{
    free(deaths->dead);
    free(deaths->last_reached);
    *deaths = (struct deaths){.history = NULL};
}
