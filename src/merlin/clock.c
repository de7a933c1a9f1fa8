/* SPDX-License-Identifier: MIT */
/* Explicit times nearly always count up by one, or stay the same where several boundaries share
 * a time. A run of either kind takes no more memory than one tick. */
#include "merlin/clock.h"

#include "base/memory.h"

#include <stdlib.h>

/* The time of `tick`, if it belongs to the run. */
static uint64_t time_in_run(const struct clock_run *run, uint64_t tick)
{
    return run->constant ? run->time : run->time + (tick - run->tick);
}

/* Whether the present tick, at `time`, continues the latest run. */
static bool continues_run(struct clock *clock, uint64_t time)
{
    if (clock->run_count == 0)
        return false;
    struct clock_run *run = &clock->runs[clock->run_count - 1];
    if (run->tick + 1 == clock->now && run->time == time)
        run->constant = true;
    return time_in_run(run, clock->now) == time;
}

enum status clock_tick_at(struct clock *clock, uint64_t time, struct failure *why)
{
    clock->now++;
    if (continues_run(clock, time))
        return STATUS_OK;
    if (!ARRAY_RESERVE(clock->runs, clock->run_capacity, clock->run_count + 1))
        return fail_memory(why);
    clock->runs[clock->run_count++] = (struct clock_run){.tick = clock->now, .time = time};
    return STATUS_OK;
}

uint64_t clock_time(const struct clock *clock, uint64_t tick)
{
    size_t low = 0, high = clock->run_count; /* `low` becomes the first run after `tick` */
    BISECT(low, high, at, clock->runs[at].tick <= tick);
    return low == 0 ? tick : time_in_run(&clock->runs[low - 1], tick);
}

/* The first tick whose time is `time` or later, or the present tick. */
static uint64_t first_tick_from(const struct clock *clock, uint64_t time)
{
    uint64_t low = 0, high = clock->now;
    BISECT(low, high, at, clock_time(clock, at) < time);
    return low;
}

void clock_find(const struct clock *clock, uint64_t time, uint64_t *first, uint64_t *last)
{
    *first = *last = time;
    if (clock->run_count == 0) /* ticks are times */
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

bool clock_has(const struct clock *clock, uint64_t time, uint64_t latest)
{
    uint64_t first, last, earliest = latest > 0 ? 1 : 0;
    clock_find(clock, time, &first, &last);
    return last >= earliest && first <= latest && clock_time(clock, first) == time;
}

void clock_forget(struct clock *clock)
{
    if (clock->run_count == 0)
        return;
    clock->runs[0] = clock->runs[clock->run_count - 1];
    clock->run_count = 1;
}

void clock_free(struct clock *clock)
{
    free(clock->runs);
    *clock = (struct clock){.runs = NULL};
}
