/* SPDX-License-Identifier: MIT */
/* How much memory the table of all objects may take before windows replace it. */
#ifndef ETMERLIN_MERLIN_TABLE_BUDGET_H
#define ETMERLIN_MERLIN_TABLE_BUDGET_H

#include "heap/heap.h"

struct table_budget {
    uint64_t bytes; /* that the process may have; 0: no limit */
    uint64_t start; /* what the process had at the start, which does not count */
    size_t of_node; /* bytes that may still be needed for each node */
    size_t checked; /* the weight of the heap (heap.h) at the latest check */
};

/* A budget of `limit` bytes or, if that is 0, of half of the machine's memory. With
 * `for_reports` it leaves room for the memory of reports. */
struct table_budget table_budget_new(uint64_t limit, bool for_reports);

/* Whether the heap has come near to the budget. Updates budget->checked. */
bool table_budget_exceeded(struct table_budget *budget, const struct heap *heap);

#endif
