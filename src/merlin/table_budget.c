/* SPDX-License-Identifier: MIT */
/* What counts is what --memory-limit limits: all memory of the process, whether it has touched
 * it or not. Without that option, the memory that the process had at the start does not count:
 * sanitizers reserve more than any machine has, and never touch it. The size is asked for
 * whenever the heap has grown by an eighth, which takes no measurable time. There must be room
 * for arrays that double before the next check or, if the trace ends before it, for the
 * propagation, which takes less, and then for all that reports take: when these work, it is too
 * late for windows. */
#include "merlin/table_budget.h"

#include "base/memory.h"

#include <unistd.h>

/* The bytes of arrays for each node and for each slot. */
enum { NODE_BYTES = 16 + 8 + 4 + 10, SLOT_BYTES = 16 };

/* The most bytes that reports keep of each object, with those that they need after the last
 * record. */
enum { REPORT_BYTES = 88 };

/* What reports need for their buffers, however few objects there are. */
enum { REPORT_BUFFERS = 8 << 20 };

static uint64_t half_of_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages / 2 * (uint64_t)size : 0;
}

struct table_budget table_budget_new(uint64_t limit, bool for_reports)
{
    size_t of_node = NODE_BYTES + (for_reports ? REPORT_BYTES : 0);
    uint64_t buffers = for_reports ? REPORT_BUFFERS : 0;
    if (limit > 0)
        return (struct table_budget){.bytes = limit > buffers ? limit - buffers : 1,
                                     .of_node = of_node};
    return (struct table_budget){
        .bytes = half_of_memory(), .start = memory_in_use(), .of_node = of_node};
}

bool table_budget_exceeded(struct table_budget *budget, const struct heap *heap)
{
    size_t weight = heap_weight(heap);
    if (budget->bytes == 0 || weight < budget->checked + budget->checked / 8)
        return false;
    budget->checked = weight;
    uint64_t more = (uint64_t)objects_count(heap->objects) * budget->of_node +
                    (uint64_t)slots_present(heap->slots) * SLOT_BYTES;
    return memory_in_use() + more > budget->bytes + budget->start;
}
