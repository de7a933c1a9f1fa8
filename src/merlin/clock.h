/* SPDX-License-Identifier: MIT */
/* The logical clock (etmerlin-formats(5), "Two dialects").
 *
 * The engine counts ticks: the method boundaries that have passed, from 0. A tick's time is
 * what traces write: the tick itself, or, in a trace with explicit times, the time of the
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

/* A boundary whose time is the new tick. */
static inline void clock_tick(struct clock *clock)
{
    clock->now++;
}

/* A boundary at the explicit time `time`. One clock gets all its times or none. */
enum status clock_tick_at(struct clock *clock, uint64_t time, struct failure *why) MUST_CHECK;

/* The time of `tick`, which has passed. Of tick 0: 0. */
uint64_t clock_time(const struct clock *clock, uint64_t tick);

/* The ticks at `time`: from the first one to the last one that has it; both are the first later
 * tick when none has it. Beyond now, the clock goes on counting up by one. */
void clock_find(const struct clock *clock, uint64_t time, uint64_t *first, uint64_t *last);

/* Whether one of the boundaries up to tick `latest` was at `time`; before the first boundary,
 * whether that is 0. */
bool clock_has(const struct clock *clock, uint64_t time, uint64_t latest);

/* From now on nothing is known of the times of ticks before the present one. */
void clock_forget(struct clock *clock);

void clock_free(struct clock *clock);

#endif
