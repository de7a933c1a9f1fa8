/* SPDX-License-Identifier: MIT */
/* A heap is too small only if something does not fit after a collection of the whole heap, when
 * it holds what is live and nothing else. What is live, and which of that is young, does not
 * depend on the size of the heap (nursery.h). So a heap suffices if and only if it holds, at
 * each moment at which that could be asked, what find_born asks; in a smaller one something
 * does not fit at the latest at the moment that asks for most. Tenure and nepotism have no
 * say. */
#include "report/simulate/smallest.h"

#include "report/figures.h"
#include "report/simulate/nursery.h"

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
 * but for those in eden, for itself, and the nursery. */
static void add_to_nursery(struct nursery *nursery, const struct heap_birth *birth,
                           uint64_t live, uint64_t *smallest)
{
    if (birth->size > nursery->size) {
        raise_to(smallest, (wide_sum)live - nursery->live[0] + birth->size + nursery->size);
        return;
    }
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

uint64_t smallest_whole(const struct smallest_heaps *smallest, enum collector collector)
{
    uint64_t bytes = smallest->whole;
    if (collector == COLLECTOR_SEMISPACE && __builtin_mul_overflow(bytes, 2, &bytes))
        return UINT64_MAX;
    return bytes;
}
