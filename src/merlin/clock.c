/* Explicit times nearly always count up by one, so only the exceptions are kept. */
#include "merlin/clock.h"

#include "base/memory.h"

#include <stdlib.h>

enum status clock_tick_at(struct clock *clock, uint64_t time, struct failure *why)
{
    clock->now++;
    if (time != clock->next_time || clock->now == 1) {
        struct clock_jump *jumps = array_grow(clock->jumps, &clock->jump_capacity,
                                              clock->jump_count + 1, sizeof *jumps);
        if (!jumps)
            return fail_memory(why);
        clock->jumps = jumps;
        jumps[clock->jump_count++] = (struct clock_jump){.tick = clock->now, .time = time};
    }
    clock->next_time = time + 1;
    return STATUS_OK;
}

uint64_t clock_time(const struct clock *clock, uint64_t tick)
{
    size_t low = 0,
           high = clock->jump_count; /* the last jump at or before tick is below high */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (clock->jumps[middle].tick <= tick)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return tick;
    const struct clock_jump *jump = &clock->jumps[low - 1];
    return jump->time + (tick - jump->tick);
}

/* The first tick, now's at the latest, whose time is `time` or later. */
static uint64_t first_tick_from(const struct clock *clock, uint64_t time)
{
    uint64_t low = 0, high = clock->now;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (clock_time(clock, middle) < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void clock_find(const struct clock *clock, uint64_t time, uint64_t *first, uint64_t *last)
{
    *first = *last = time;
    if (clock->jump_count == 0) /* ticks are times */
        return;
    uint64_t end = clock_time(clock, clock->now);
    if (time > end) {
        if (__builtin_add_overflow(clock->now, time - end, first))
            *first = UINT64_MAX;
        *last = *first;
        return;
    }
    *first = *last = first_tick_from(clock, time);
    if (time == end)
        *last = clock->now;
    else if (clock_time(clock, *first) == time)
        *last = first_tick_from(clock, time + 1) - 1;
}

void clock_free(struct clock *clock)
{
    free(clock->jumps);
    *clock = (struct clock){.jumps = NULL};
}
