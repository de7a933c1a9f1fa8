/* SPDX-License-Identifier: MIT */
/* How much memory the table of all objects may take, before windows take over. */
#ifndef ETMERLIN_CLI_TABLE_BUDGET_H
#define ETMERLIN_CLI_TABLE_BUDGET_H

#include "cli/options.h"
#include "heap/heap.h"

struct table_budget {
    uint64_t bytes; /* the process may have; 0: any number */
    uint64_t start; /* of these, what it had at the start and that does not count */
    size_t of_node; /* bytes that may still be needed for each node */
    size_t checked; /* the weight of the heap (heap.h) when it was looked at last */
};

/* With --engine=auto --memory-limit or, without one, half of the machine's memory; no limit
 * when `options` ask for something that only the table can do. */
struct table_budget table_budget_of(const struct options *options);

/* Whether the heap has come near to what it may take. */
bool table_budget_exceeded(struct table_budget *budget, const struct heap *heap);

#endif
