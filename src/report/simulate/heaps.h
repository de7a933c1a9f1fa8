/* SPDX-License-Identifier: MIT */
/* All simulated heaps of a plan. */
#ifndef ETMERLIN_REPORT_SIMULATE_HEAPS_H
#define ETMERLIN_REPORT_SIMULATE_HEAPS_H

#include "report/simulate/simulated.h"
#include "report/simulate/smallest.h"

struct simulated_heaps {
    struct simulated *items; /* by collector, nursery, tenure and heap, each ascending */
    size_t count, capacity;
    uint64_t left_out[PLAN_SIZES_MOST]; /* nurseries that are larger than all heaps */
    size_t left_out_count;
};

/* Zero-initialize *heaps. Makes one of each collector, heap, nursery and tenure of the plan,
 * but for heaps smaller than their nursery, and one of each collector with its smallest heap;
 * `prior_bytes` are in use from the start. The caller frees heaps->items. */
enum status simulated_heaps_make(struct simulated_heaps *heaps, const struct plan *plan,
                                 const struct smallest_heaps *smallest, uint64_t prior_bytes,
                                 struct failure *why) MUST_CHECK;

#endif
