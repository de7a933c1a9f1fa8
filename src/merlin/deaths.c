/* SPDX-License-Identifier: MIT */
/* Puts what the propagation found into the order in which D records are written: by tick, and
 * by order of allocation within a tick. The sort (merlin/sort.c) counts, so it is stable and
 * linear.
 *
 * Windows store deaths in this order, in a file, each as its difference from the one before:
 * most objects die in the same tick as another one of the same thread, and times go up as ticks
 * do. What remains is the id. */
#include "merlin/deaths.h"

#include "base/bytes.h"
#include "base/memory.h"
#include "io/temporary/numbers.h"
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
    TRY(propagate(&pass->heap, unallocated, later, pass->interrupt, &pass->progress,
                  &deaths->last_reached, why));
    TRY(deaths_part(deaths, why));
    return sort_nodes(deaths->dead, deaths->dead_count, deaths->last_reached, pass->clock.now,
                      pass->interrupt, why);
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

/* The first number of a death is the ticks since the one before, and these bits. */
enum { OTHER_THREAD = 1, OTHER_TIME = 2, STEP_SHIFT = 2 };

struct stored_deaths {
    struct number_list *numbers;
    uint64_t dead;
    uint64_t survivors;
    struct death last;
};

static void stored_deaths_close(struct stored_deaths *deaths)
{
    if (!deaths)
        return;
    number_list_close(deaths->numbers);
    free(deaths);
}

enum status stored_deaths_open(struct stored_deaths **out,
                               const struct temporary_folder *temporary, struct failure *why)
{
    struct stored_deaths *deaths = calloc(1, sizeof *deaths);
    if (!deaths)
        return fail_memory(why);
    enum status status = number_list_open(&deaths->numbers, temporary, why);
    if (status == STATUS_OK)
        *out = deaths;
    else
        stored_deaths_close(deaths);
    return status;
}

enum status stored_deaths_add(struct stored_deaths *deaths, const struct death *death,
                              struct failure *why)
{
    struct number_list *numbers = deaths->numbers;
    uint64_t step = death->tick - deaths->last.tick, expected = deaths->last.time + step;
    bool other_thread = death->thread != deaths->last.thread;
    bool other_time = death->time != expected;
    uint64_t head =
        step << STEP_SHIFT | (other_time ? OTHER_TIME : 0) | (other_thread ? OTHER_THREAD : 0);
    TRY(number_list_add(numbers, head, why));
    TRY(number_list_add(numbers, death->object, why));
    if (other_thread)
        TRY(number_list_add(numbers, death->thread, why));
    if (other_time)
        TRY(number_list_add(numbers, varint_step(expected, death->time), why));
    deaths->last = *death;
    deaths->dead += !death->survives;
    deaths->survivors += death->survives;
    return STATUS_OK;
}

enum status stored_deaths_finish(struct deaths *deaths, struct failure *why)
{
    deaths->dead_count = deaths->stored->dead;
    deaths->alive_count = deaths->stored->survivors;
    return number_list_finish(deaths->stored->numbers, why);
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
    struct number_cursor *numbers; /* if the deaths are stored */
    struct death last;             /* of those that are stored */
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
        status = number_cursor_open(&cursor->numbers, deaths->stored->numbers, why);
    if (status == STATUS_OK)
        *out = cursor;
    else
        death_cursor_close(cursor);
    return status;
}

/* Sets *death to the next one, which is stored. */
static enum status next_stored(struct death_cursor *cursor, struct death *death,
                               struct failure *why)
{
    const struct deaths *deaths = cursor->deaths;
    struct death *last = &cursor->last;
    uint64_t head = 0, lag = 0;
    if (cursor->next == deaths->dead_count + deaths->alive_count)
        return STATUS_END;
    TRY(number_cursor_next(cursor->numbers, &head, why));
    TRY(number_cursor_next(cursor->numbers, &last->object, why));
    if (head & OTHER_THREAD)
        TRY(number_cursor_next(cursor->numbers, &last->thread, why));
    if (head & OTHER_TIME)
        TRY(number_cursor_next(cursor->numbers, &lag, why));
    last->tick += head >> STEP_SHIFT;
    last->time = varint_follow(last->time + (head >> STEP_SHIFT), lag);
    last->survives = cursor->next++ >= deaths->dead_count;
    *death = *last;
    return STATUS_OK;
}

enum status death_cursor_next(struct death_cursor *cursor, struct death *death,
                              struct failure *why)
{
    const struct deaths *deaths = cursor->deaths;
    if (cursor->numbers)
        return next_stored(cursor, death, why);
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
    while (death.tick <= *tick && !death.survives)
        TRY(next_stored(cursor, &death, why));
    if (death.survives)
        return STATUS_END;
    *tick = death.tick;
    return STATUS_OK;
}

enum status death_cursor_skip_tick(struct death_cursor *cursor, uint64_t *tick,
                                   struct failure *why)
{
    const struct deaths *deaths = cursor->deaths;
    if (cursor->numbers)
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
    number_cursor_close(cursor->numbers);
    free(cursor);
}
