/* SPDX-License-Identifier: MIT */
/* How much memory the table of all objects may take, before windows take over. */
#ifndef ETMERLIN_MERLIN_TABLE_BUDGET_H
#define ETMERLIN_MERLIN_TABLE_BUDGET_H

#include "heap/heap.h"

struct table_budget {
    uint64_t bytes; /* the process may have; 0: any number */
    uint64_t start; /* of these, what it had at the start and that does not count */
    size_t of_node; /* bytes that may still be needed for each node */
    size_t checked; /* the weight of the heap (heap.h) when it was looked at last */
};

/* `limit` bytes or, if that is 0, half of the machine's memory. With `for_reports` there is
 * room for what they take. */
struct table_budget table_budget_new(uint64_t limit, bool for_reports);

/* Whether the heap has come near to what it may take. */
bool table_budget_exceeded(struct table_budget *budget, const struct heap *heap);

#endif
