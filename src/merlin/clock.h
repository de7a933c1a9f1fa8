/* SPDX-License-Identifier: MIT */
/* The logical clock (etmerlin-formats(5), "Two dialects").
 *
 * The engine counts ticks: the method boundaries that have passed, from 0. The time of a tick
 * is what traces write: the tick itself or, in a trace with explicit times, the time of the
 * boundary record that made it. */
#ifndef ETMERLIN_MERLIN_CLOCK_H
#define ETMERLIN_MERLIN_CLOCK_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A run of ticks whose explicit times go up by one each, or stay the same. */
struct clock_run {
    uint64_t tick; /* the first */
    uint64_t time; /* of that tick */
    bool constant;
};

/* Zero-initialize it; clock_free ends it. */
struct clock {
    uint64_t now;           /* ticks so far */
    struct clock_run *runs; /* ascending; none: ticks are times */
    size_t run_count;
    size_t run_capacity;
};

/* Passes a boundary whose time is the new tick. */
static inline void clock_tick(struct clock *clock)
{
    clock->now++;
}

/* Passes a boundary at the explicit time `time`. A clock must have explicit times for all its
 * ticks or for none. */
enum status clock_tick_at(struct clock *clock, uint64_t time, struct failure *why) MUST_CHECK;

/* The time of `tick`, which must have passed; 0 for tick 0. */
uint64_t clock_time(const struct clock *clock, uint64_t tick);

/* Sets *first and *last to the first and the last tick at `time`. If no tick has this time,
 * sets both to the first tick with a later one. After the present tick, the clock is assumed to
 * go on counting up by one. */
void clock_find(const struct clock *clock, uint64_t time, uint64_t *first, uint64_t *last);

/* Whether one of the boundaries up to tick `latest` was at `time`; if `latest` is 0, whether
 * `time` is 0. */
bool clock_has(const struct clock *clock, uint64_t time, uint64_t latest);

/* Forgets the times of all ticks before the present one. */
void clock_forget(struct clock *clock);

void clock_free(struct clock *clock);

#endif
