/* SPDX-License-Identifier: MIT */
/* The most bytes that are allocated between two boundaries that follow each other, also before
 * the first and after the last one: what dies there counts as alive until the second one. */
#ifndef ETMERLIN_REPORT_LIVES_LONGEST_TICK_H
#define ETMERLIN_REPORT_LIVES_LONGEST_TICK_H

#include "merlin/lives/lives.h"

#include <stdint.h>

/* Zero-initialize it. */
struct longest_tick {
    uint64_t tick;  /* of the latest allocation */
    uint64_t bytes; /* allocated in it */
    uint64_t most;  /* in a tick; at most UINT64_MAX */
};

/* Adds an allocation in `tick`, which is not before that of the one before. Objects that were
 * there before the trace are no allocations. */
static inline void longest_tick_add(struct longest_tick *longest, uint64_t tick, uint64_t size)
{
    if (tick != longest->tick) {
        longest->tick = tick;
        longest->bytes = 0;
    }
    if (__builtin_add_overflow(longest->bytes, size, &longest->bytes))
        longest->bytes = UINT64_MAX;
    if (longest->bytes > longest->most)
        longest->most = longest->bytes;
}

/* Finds the most bytes that are allocated between two boundaries, by a walk over the births of
 * `stream`. Fails as births_visit does. */
enum status longest_tick_find(uint64_t *bytes, const struct life_stream *stream,
                              struct failure *why) MUST_CHECK;

#endif
