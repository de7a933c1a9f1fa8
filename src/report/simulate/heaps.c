/* SPDX-License-Identifier: MIT */
/* A collector has the heaps of the plan and its smallest one, each size once, in ascending
 * order, so that rows come out as they are to be printed. */
#include "report/simulate/heaps.h"

#include "base/memory.h"

#include <stdlib.h>

/* The sizes of a collector's heaps: those of the plan, and its smallest one. */
struct heap_sizes {
    uint64_t bytes[PLAN_SIZES_MOST + 1];
    size_t count;
};

static int compare_bytes(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static void sort_sizes(struct heap_sizes *sizes)
{
    size_t count = 0;
    qsort(sizes->bytes, sizes->count, sizeof *sizes->bytes, compare_bytes);
    for (size_t i = 0; i < sizes->count; i++)
        if (count == 0 || sizes->bytes[count - 1] != sizes->bytes[i])
            sizes->bytes[count++] = sizes->bytes[i];
    sizes->count = count;
}

/* Those of the plan from `least` on. */
static struct heap_sizes sizes_of(const struct plan *plan, uint64_t smallest, uint64_t least)
{
    struct heap_sizes sizes = {.count = 0};
    for (size_t i = 0; i < plan->heap_count; i++) {
        uint64_t bytes = heap_size_bytes(&plan->heaps[i], smallest);
        if (bytes >= least)
            sizes.bytes[sizes.count++] = bytes;
    }
    return sizes;
}

static enum status add_heap(struct simulated_heaps *heaps, const struct simulated *heap,
                            struct failure *why)
{
    if (!ARRAY_RESERVE(heaps->items, heaps->capacity, heaps->count + 1))
        return fail_memory(why);
    heaps->items[heaps->count++] = *heap;
    return STATUS_OK;
}

/* Adds heaps of `sizes`, and of `smallest` bytes, that are else like `heap`. */
static enum status add_sizes(struct simulated_heaps *heaps, struct heap_sizes sizes,
                             uint64_t smallest, struct simulated heap, struct failure *why)
{
    enum status status = STATUS_OK;
    sizes.bytes[sizes.count++] = smallest;
    sort_sizes(&sizes);
    for (size_t i = 0; i < sizes.count && status == STATUS_OK; i++) {
        heap.heap = sizes.bytes[i];
        status = add_heap(heaps, &heap, why);
    }
    return status;
}

/* Adds the heaps with one nursery; none if it is larger than all of the plan. */
static enum status add_nursery(struct simulated_heaps *heaps, const struct plan *plan,
                               const struct smallest_heaps *smallest, size_t nursery,
                               struct simulated heap, struct failure *why)
{
    enum status status = STATUS_OK;
    heap.nursery = plan->nurseries[nursery];
    struct heap_sizes sizes = sizes_of(plan, smallest->whole, heap.nursery);
    if (sizes.count == 0)
        return STATUS_OK;
    for (heap.tenure = 0; heap.tenure <= TENURE_MOST && status == STATUS_OK; heap.tenure++)
        if (plan->tenures[heap.tenure])
            status = add_sizes(heaps, sizes, smallest->nurseries[nursery], heap, why);
    return status;
}

static enum status add_collector(struct simulated_heaps *heaps, const struct plan *plan,
                                 const struct smallest_heaps *smallest, struct simulated heap,
                                 struct failure *why)
{
    enum status status = STATUS_OK;
    if (heap.collector == COLLECTOR_WHOLE || heap.collector == COLLECTOR_SEMISPACE) {
        return add_sizes(heaps, sizes_of(plan, smallest->whole, 0),
                         smallest_whole(smallest, heap.collector), heap, why);
    }
    for (size_t i = 0; i < plan->nursery_count && status == STATUS_OK; i++)
        status = add_nursery(heaps, plan, smallest, i, heap, why);
    return status;
}

/* Notes nurseries that are in no heap, or says so if they were named. */
static enum status note_left_out(struct simulated_heaps *heaps, const struct plan *plan,
                                 uint64_t smallest, struct failure *why)
{
    uint64_t largest = 0;
    for (size_t i = 0; i < plan->heap_count; i++) {
        uint64_t bytes = heap_size_bytes(&plan->heaps[i], smallest);
        if (bytes > largest)
            largest = bytes;
    }
    if (plan->collectors[COLLECTOR_GENERATIONAL] || plan->collectors[COLLECTOR_IDEAL])
        for (size_t i = 0; i < plan->nursery_count; i++)
            if (plan->nurseries[i] > largest)
                heaps->left_out[heaps->left_out_count++] = plan->nurseries[i];
    return plan_check_nurseries(plan, largest, why);
}

enum status simulated_heaps_make(struct simulated_heaps *heaps, const struct plan *plan,
                                 const struct smallest_heaps *smallest, uint64_t prior_bytes,
                                 struct failure *why)
{
    enum status status = note_left_out(heaps, plan, smallest->whole, why);
    for (unsigned i = 0; i < COLLECTORS && status == STATUS_OK; i++) {
        const struct simulated heap = {.collector = (enum collector)i, .used = prior_bytes};
        if (plan->collectors[i])
            status = add_collector(heaps, plan, smallest, heap, why);
    }
    return status;
}
