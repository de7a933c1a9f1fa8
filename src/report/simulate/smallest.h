/* SPDX-License-Identifier: MIT */
/* The smallest heap with which a program gets through, for each collector: exactly, in one
 * going through, without trying heaps. */
#ifndef ETMERLIN_REPORT_SIMULATE_SMALLEST_H
#define ETMERLIN_REPORT_SIMULATE_SMALLEST_H

#include "report/simulate/heap_events.h"
#include "report/simulate/plan.h"

struct smallest_heaps {
    uint64_t whole;
    uint64_t nurseries[PLAN_SIZES_MOST]; /* of generational ones, by nursery of the plan */
};

/* Finds them; `prior_bytes` are those of objects that were there before the trace. More bytes
 * than a number holds are UINT64_MAX. */
enum status smallest_heaps_find(struct smallest_heaps *out, const struct plan *plan,
                                const struct heap_events *events, uint64_t prior_bytes,
                                const struct interrupt *interrupt,
                                struct failure *why) MUST_CHECK;

/* That of COLLECTOR_WHOLE or, twice as large but at most UINT64_MAX, of COLLECTOR_SEMISPACE. */
uint64_t smallest_whole(const struct smallest_heaps *smallest, enum collector collector);

#endif
