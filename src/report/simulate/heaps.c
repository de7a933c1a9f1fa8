/* SPDX-License-Identifier: MIT */
/* A collector has the heaps of the plan and its smallest one, each size once, in ascending
 * order, so that rows come out as they are to be printed. */
#include "report/simulate/heaps.h"

#include "base/memory.h"
#include "report/simulate/nursery.h"

#include <stdlib.h>

/* A heap is too small only if something does not fit after a collection of the whole heap, when
 * it holds what is live and nothing else. What is live, and which of that is young, does not
 * depend on the size of the heap (nursery.h). So a heap suffices if and only if it holds, at
 * each moment at which that could be asked, what find_born asks; in a smaller one something
 * does not fit at the latest at the moment that asks for most. Tenure and nepotism have no
 * say. */
struct finding {
    struct smallest_heaps *out;
    size_t count;
    struct nursery nurseries[PLAN_SIZES_MOST];
    uint64_t live;
};

static void raise_to(uint64_t *most, wide_sum bytes)
{
    uint64_t limited = bytes > UINT64_MAX ? UINT64_MAX : (uint64_t)bytes;
    if (limited > *most)
        *most = limited;
}

/* A minor collection needs room for the live objects, each of which is old, promoted now or
 * stays young, and the nursery; an object that is larger than the nursery, for the live objects
 * but for those in eden, for itself, and the nursery. Objects for which nobody asks take room
 * without a collection; the next allocation needs room for all live objects but those in eden,
 * and the nursery. */
static void add_to_nursery(struct nursery *nursery, const struct heap_birth *birth,
                           uint64_t live, uint64_t *smallest)
{
    if (birth->size > nursery->size) {
        raise_to(smallest, (wide_sum)live - nursery->live[0] + birth->size + nursery->size);
        return;
    }
    raise_to(smallest, (wide_sum)live - nursery->live[0] + nursery->size);
    if (nursery_is_full(nursery, birth->size)) {
        raise_to(smallest, (wide_sum)live + nursery->size);
        nursery_empty(nursery, birth->number);
    }
    nursery_add(nursery, birth->size);
}

static enum status find_born(void *context, const struct heap_birth *birth, struct failure *why)
{
    struct finding *finding = context;
    (void)why;
    if (birth->kind == HEAP_PRIOR)
        return STATUS_OK;
    if (birth->kind == HEAP_ALLOCATED) {
        raise_to(&finding->out->whole, (wide_sum)finding->live + birth->size);
        for (size_t i = 0; i < finding->count; i++)
            add_to_nursery(&finding->nurseries[i], birth, finding->live,
                           &finding->out->nurseries[i]);
    }
    finding->live += birth->size;
    return STATUS_OK;
}

static enum status find_died(void *context, const struct heap_death *death, struct failure *why)
{
    struct finding *finding = context;
    (void)why;
    finding->live -= death->size;
    for (size_t i = 0; i < finding->count; i++)
        nursery_remove(&finding->nurseries[i], death);
    return STATUS_OK;
}

enum status smallest_heaps_find(struct smallest_heaps *out, const struct plan *plan,
                                const struct heap_events *events, uint64_t prior_bytes,
                                const struct interrupt *interrupt, struct failure *why)
{
    struct finding finding = {.out = out, .count = plan->nursery_count, .live = prior_bytes};
    const struct heap_visitor visitor = {
        .born = find_born, .died = find_died, .context = &finding};
    *out = (struct smallest_heaps){.whole = 0};
    for (size_t i = 0; i < plan->nursery_count; i++) {
        finding.nurseries[i].size = plan->nurseries[i];
        out->nurseries[i] = plan->nurseries[i];
    }
    return heap_events_visit(events, &visitor, interrupt, why);
}

/* The smallest heap of COLLECTOR_WHOLE or, twice as large but at most UINT64_MAX, of
 * COLLECTOR_SEMISPACE. */
static uint64_t smallest_whole(const struct smallest_heaps *smallest, enum collector collector)
{
    uint64_t bytes = smallest->whole;
    if (collector == COLLECTOR_SEMISPACE && __builtin_mul_overflow(bytes, 2, &bytes))
        return UINT64_MAX;
    return bytes;
}

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

/* The heap sizes of the plan from `least` bytes on. */
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
