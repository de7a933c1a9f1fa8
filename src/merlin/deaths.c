/* SPDX-License-Identifier: MIT */
/* Puts what the propagation found into the order in which D records are written: by tick, and
 * by order of allocation within a tick. The sort (merlin/sort.c) counts, so it is stable and
 * linear. */
#include "merlin/deaths.h"

#include "base/memory.h"
#include "merlin/lives/stored_lives.h"
#include "merlin/sort.h"

#include <stdlib.h>

/* Separates the allocated objects that die at a boundary from those that do not. Both kinds
 * share one array, the living after the dead. */
static enum status deaths_part(struct deaths *deaths, struct failure *why)
{
    size_t count;
    const node_t *allocations = objects_allocations(deaths->pass->heap.objects, &count);
    uint64_t ticks = deaths->pass->clock.now;
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

enum status deaths_so_far(struct deaths *deaths, const struct pass *pass,
                          enum unallocated unallocated, const struct named_later *later,
                          struct failure *why)
{
    *deaths = (struct deaths){
        .pass = pass,
        .named = objects_named(pass->heap.objects),
    };
    enum status status = propagate(&pass->heap, unallocated, later, pass->interrupt,
                                   &pass->progress, &deaths->last_reached, why);
    if (status == STATUS_OK)
        status = deaths_part(deaths, why);
    if (status == STATUS_OK)
        status = sort_nodes(deaths->dead, deaths->dead_count, deaths->last_reached,
                            pass->clock.now, pass->interrupt, why);
    return status;
}

enum status deaths_compute(struct deaths *deaths, struct pass *pass,
                           enum unallocated unallocated, struct failure *why)
{
    objects_drop_index(pass->heap.objects);
    return deaths_so_far(deaths, pass, unallocated, NULL, why);
}

/* The tick of the boundary at which dead[index] dies. */
static uint64_t deaths_tick(const struct deaths *deaths, size_t index)
{
    return deaths->last_reached[deaths->dead[index]] + 1;
}

struct death deaths_at(const struct deaths *deaths, size_t index)
{
    const struct pass *pass = deaths->pass;
    const struct heap *heap = &pass->heap;
    bool survives = index >= deaths->dead_count;
    node_t node = survives ? deaths->alive[index - deaths->dead_count] : deaths->dead[index];
    uint64_t tick = survives ? pass->clock.now : deaths_tick(deaths, index);
    return (struct death){
        .tick = tick,
        .time = clock_time(&pass->clock, tick),
        .object = objects_id(heap->objects, node),
        .thread = frames_thread_id(heap->frames, objects_thread(heap->objects, node)),
        .node = node,
        .survives = survives,
    };
}

struct record death_record(const struct death *death, const uint64_t *thread)
{
    return (struct record){
        .kind = RECORD_DEATH,
        .object = death->object,
        .death_thread = thread ? *thread : death->thread,
        .time = death->time,
    };
}

void deaths_free(struct deaths *deaths)
{
    stored_deaths_close(deaths->stored);
    stored_lives_close(deaths->lives);
    free(deaths->dead);
    free(deaths->last_reached);
    *deaths = (struct deaths){.pass = NULL};
}

struct death_cursor {
    const struct deaths *deaths;
    size_t next;
    struct stored_cursor *stored; /* if the deaths are stored */
};

enum status death_cursor_open(struct death_cursor **out, const struct deaths *deaths,
                              struct failure *why)
{
    struct death_cursor *cursor = calloc(1, sizeof *cursor);
    if (!cursor)
        return fail_memory(why);
    cursor->deaths = deaths;
    enum status status = STATUS_OK;
    if (deaths->stored)
        status = stored_cursor_open(&cursor->stored, deaths->stored, why);
    if (status == STATUS_OK)
        *out = cursor;
    else
        death_cursor_close(cursor);
    return status;
}

enum status death_cursor_next(struct death_cursor *cursor, struct death *death,
                              struct failure *why)
{
    const struct deaths *deaths = cursor->deaths;
    if (cursor->stored)
        return stored_cursor_next(cursor->stored, death, why);
    if (cursor->next == deaths->dead_count + deaths->alive_count)
        return STATUS_END;
    *death = deaths_at(deaths, cursor->next++);
    return STATUS_OK;
}

/* As death_cursor_skip_tick, for deaths that are stored. */
static enum status skip_stored_tick(struct death_cursor *cursor, uint64_t *tick,
                                    struct failure *why)
{
    struct death death = {.tick = *tick};
    enum status status = STATUS_OK;
    while (status == STATUS_OK && death.tick <= *tick && !death.survives)
        status = stored_cursor_next(cursor->stored, &death, why);
    if (status != STATUS_OK || death.survives)
        return status == STATUS_OK ? STATUS_END : status;
    *tick = death.tick;
    return STATUS_OK;
}

enum status death_cursor_skip_tick(struct death_cursor *cursor, uint64_t *tick,
                                   struct failure *why)
{
    const struct deaths *deaths = cursor->deaths;
    if (cursor->stored)
        return skip_stored_tick(cursor, tick, why);
    while (cursor->next < deaths->dead_count && deaths_tick(deaths, cursor->next) <= *tick)
        cursor->next++;
    if (cursor->next >= deaths->dead_count)
        return STATUS_END;
    *tick = deaths_tick(deaths, cursor->next);
    return STATUS_OK;
}

void death_cursor_close(struct death_cursor *cursor)
{
    if (!cursor)
        return;
    stored_cursor_close(cursor->stored);
    free(cursor);
}
