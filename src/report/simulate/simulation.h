/* SPDX-License-Identifier: MIT */
/* The simulation itself: the events of a trace happen to all simulated heaps. */
#ifndef ETMERLIN_REPORT_SIMULATE_SIMULATION_H
#define ETMERLIN_REPORT_SIMULATE_SIMULATION_H

#include "report/simulate/heap_events.h"
#include "report/simulate/heaps.h"

struct simulation_options {
    uint64_t prior_bytes; /* of objects that were there before the trace */
    bool has_stores;      /* `events` have them */
    bool is_recorded;     /* deaths are */
    uint64_t window;      /* fewest objects kept before any are released; 0: the default */
    const struct interrupt *interrupt;
};

/* Runs `events` through all of *heaps, which are as simulated_heaps_make left them. */
enum status simulate(struct simulated_heaps *heaps, const struct heap_events *events,
                     const struct simulation_options *options, struct failure *why) MUST_CHECK;

#endif
