/* SPDX-License-Identifier: MIT */
/* A collector has the heaps of the plan and its smallest one, each size once, in ascending
 * order, so that rows come out as they are to be printed. The bytes that are live are added up
 * once for all heaps, those that are young once for all heaps with one nursery; a heap has only
 * a few sums of its own. */
#include "report/simulate/simulate.h"

#include "base/memory.h"
#include "base/number.h"
#include "report/simulate/nepotism.h"

#include <stdlib.h>

/* A heap is too small only if something does not fit after a collection of the whole heap, when
 * it holds what is live and nothing else. What is live, and which of that is young, does not
 * depend on the size of the heap (simulated.h). So a heap suffices if and only if it holds,
 * at each moment at which that could be asked, what find_born asks; in a smaller one something
 * does not fit at the latest at the moment that asks for most. Tenure and nepotism have no
 * say. */
struct heap_search {
    struct smallest_heaps *out;
    size_t count;
    struct nursery nurseries[PLAN_SIZES_MOST];
    uint64_t live;
};

/* A minor collection needs room for the live objects, each of which is old, promoted now or
 * stays young, and the nursery; an object that is larger than the nursery, for the live objects
 * but for those in eden, for itself, and the nursery. Objects for which nobody asks take room
 * without a collection; the next allocation needs room for all live objects but those in eden,
 * and the nursery. */
static void add_to_nursery(struct nursery *nursery, const struct heap_birth *birth,
                           uint64_t live, uint64_t *smallest)
{
    if (birth->size > nursery->size) {
        simulated_need(smallest,
                       (wide_sum)live - nursery->live[0] + birth->size + nursery->size);
        return;
    }
    simulated_need(smallest, (wide_sum)live - nursery->live[0] + nursery->size);
    if (nursery_is_full(nursery, birth->size)) {
        simulated_need(smallest, (wide_sum)live + nursery->size);
        nursery_empty(nursery, birth->number);
    }
    nursery_add(nursery, birth->size);
}

static enum status find_born(void *context, const struct heap_birth *birth, struct failure *why)
{
    struct heap_search *search = context;
    (void)why;
    if (birth->kind == HEAP_PRIOR)
        return STATUS_OK;
    if (birth->kind == HEAP_ALLOCATED) {
        simulated_need(&search->out->whole, (wide_sum)search->live + birth->size);
        for (size_t i = 0; i < search->count; i++)
            add_to_nursery(&search->nurseries[i], birth, search->live,
                           &search->out->nurseries[i]);
    }
    search->live += birth->size;
    return STATUS_OK;
}

static enum status find_died(void *context, const struct heap_death *death, struct failure *why)
{
    struct heap_search *search = context;
    (void)why;
    search->live -= death->size;
    for (size_t i = 0; i < search->count; i++)
        nursery_remove(&search->nurseries[i], death);
    return STATUS_OK;
}

enum status smallest_heaps_find(struct smallest_heaps *out, const struct plan *plan,
                                const struct report_material *material, struct failure *why)
{
    struct heap_search search = {.out = out,
                                 .count = plan->nurseries.count,
                                 .live = life_stream_summary(material->stream)->prior_bytes};
    const struct heap_visitor visitor = {
        .born = find_born, .died = find_died, .context = &search};
    *out = (struct smallest_heaps){.whole = 0};
    for (size_t i = 0; i < plan->nurseries.count; i++) {
        search.nurseries[i].size = plan->nurseries.items[i];
        out->nurseries[i] = plan->nurseries.items[i];
    }
    return heap_events_visit(material->events, &visitor, material->pass->interrupt, why);
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

static void sort_sizes(struct heap_sizes *sizes)
{
    size_t count = 0;
    qsort(sizes->bytes, sizes->count, sizeof *sizes->bytes, number_compare);
    for (size_t i = 0; i < sizes->count; i++)
        if (count == 0 || sizes->bytes[count - 1] != sizes->bytes[i])
            sizes->bytes[count++] = sizes->bytes[i];
    sizes->count = count;
}

/* The heap sizes of the plan from `least` bytes on. */
static struct heap_sizes sizes_of(const struct plan *plan, uint64_t smallest, uint64_t least)
{
    struct heap_sizes sizes = {.count = 0};
    for (size_t i = 0; i < plan->heaps.count; i++) {
        uint64_t bytes = heap_size_bytes(&plan->heaps.items[i], smallest);
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
    sizes.bytes[sizes.count++] = smallest;
    sort_sizes(&sizes);
    for (size_t i = 0; i < sizes.count; i++) {
        heap.heap = sizes.bytes[i];
        TRY(add_heap(heaps, &heap, why));
    }
    return STATUS_OK;
}

/* Adds the heaps with one nursery; none if it is larger than all of the plan. */
static enum status add_nursery(struct simulated_heaps *heaps, const struct plan *plan,
                               const struct smallest_heaps *smallest, size_t nursery,
                               struct simulated heap, struct failure *why)
{
    heap.nursery = plan->nurseries.items[nursery];
    struct heap_sizes sizes = sizes_of(plan, smallest->whole, heap.nursery);
    if (sizes.count == 0)
        return STATUS_OK;
    for (heap.tenure = 0; heap.tenure <= TENURE_MOST; heap.tenure++)
        if (plan->tenures[heap.tenure])
            TRY(add_sizes(heaps, sizes, smallest->nurseries[nursery], heap, why));
    return STATUS_OK;
}

static enum status add_collector(struct simulated_heaps *heaps, const struct plan *plan,
                                 const struct smallest_heaps *smallest, struct simulated heap,
                                 struct failure *why)
{
    if (heap.collector == COLLECTOR_WHOLE || heap.collector == COLLECTOR_SEMISPACE) {
        return add_sizes(heaps, sizes_of(plan, smallest->whole, 0),
                         smallest_whole(smallest, heap.collector), heap, why);
    }
    for (size_t i = 0; i < plan->nurseries.count; i++)
        TRY(add_nursery(heaps, plan, smallest, i, heap, why));
    return STATUS_OK;
}

/* Notes nurseries that are in no heap, or says so if they were named. */
static enum status note_left_out(struct simulated_heaps *heaps, const struct plan *plan,
                                 uint64_t smallest, struct failure *why)
{
    uint64_t largest = plan_largest_heap(plan, smallest);
    for (size_t i = 0; plan_has_nurseries(plan) && i < plan->nurseries.count; i++)
        if (plan->nurseries.items[i] > largest)
            heaps->left_out[heaps->left_out_count++] = plan->nurseries.items[i];
    return plan_check_nurseries(plan, largest, why);
}

enum status simulated_heaps_make(struct simulated_heaps *heaps, const struct plan *plan,
                                 const struct smallest_heaps *smallest, uint64_t prior_bytes,
                                 struct failure *why)
{
    TRY(note_left_out(heaps, plan, smallest->whole, why));
    for (unsigned i = 0; i < COLLECTORS; i++) {
        const struct simulated heap = {.collector = (enum collector)i, .used = prior_bytes};
        if (plan->collectors[i])
            TRY(add_collector(heaps, plan, smallest, heap, why));
    }
    return STATUS_OK;
}

struct simulation {
    struct simulated_heaps *heaps;
    struct nursery nurseries[PLAN_SIZES_MOST];
    size_t nursery_count;
    uint64_t remembered[PLAN_SIZES_MOST][AGE_OLD]; /* stores, by nursery and tenure */
    struct nepotism *nepotism;                     /* NULL: nothing is known of stores */
    uint64_t live, asked;                          /* bytes */
    uint64_t stores;
    bool has_unasked; /* since the latest allocation objects came for which nobody asked */
};

/* The number of the nursery with so many bytes; if it is not listed yet, that of the next one.
 */
static size_t nursery_of(const struct simulation *simulation, uint64_t size)
{
    size_t nursery = 0;
    while (nursery < simulation->nursery_count && simulation->nurseries[nursery].size != size)
        nursery++;
    return nursery;
}

static void list_nurseries(struct simulation *simulation)
{
    for (size_t i = 0; i < simulation->heaps->count; i++) {
        const struct simulated *heap = &simulation->heaps->items[i];
        if (heap->nursery == 0)
            continue;
        size_t number = nursery_of(simulation, heap->nursery);
        struct nursery *nursery = &simulation->nurseries[number];
        if (number == simulation->nursery_count)
            simulation->nursery_count++;
        nursery->size = heap->nursery;
        if (heap->tenure > nursery->longest)
            nursery->longest = heap->tenure;
    }
}

/* Adds the heaps that have nepotism to what finds it: heaps of one nursery follow each other.
 */
static enum status prepare_nepotism(struct simulation *simulation,
                                    const struct report_material *material, struct failure *why)
{
    TRY(nepotism_new(&simulation->nepotism, simulation->nurseries, simulation->nursery_count,
                     material, why));
    for (size_t i = 0; i < simulation->heaps->count; i++) {
        struct simulated *heap = &simulation->heaps->items[i];
        if (heap->collector == COLLECTOR_GENERATIONAL)
            TRY(nepotism_add_heap(simulation->nepotism, heap,
                                  nursery_of(simulation, heap->nursery), why));
    }
    return STATUS_OK;
}

/* What is live in a heap with this nursery and tenure, in the parts that a minor collection
 * would make of it. */
static struct live_parts parts_of(const struct simulation *simulation,
                                  const struct nursery *nursery, unsigned tenure)
{
    return (struct live_parts){
        .all = simulation->live,
        .old = simulation->live - nursery_live(nursery, 0, tenure + 1),
        .promoted = nursery_live(nursery, tenure, tenure + 1),
        .staying = nursery_live(nursery, 0, tenure),
    };
}

/* Stops counting for a heap that has run out of memory. */
static void note_end(const struct simulation *simulation, struct simulated *heap)
{
    heap->allocated = simulation->asked;
    heap->stores = simulation->stores;
    if (heap->nursery > 0)
        heap->remembered_stores =
            simulation->remembered[nursery_of(simulation, heap->nursery)][heap->tenure];
}

/* Whether a heap has this nursery and goes on. */
static bool goes_on_with(const struct simulated *heap, const struct nursery *nursery)
{
    return heap->nursery == nursery->size && !heap->has_ended;
}

/* An allocation takes a minor collection in all heaps with a nursery. */
static enum status collect_nursery(struct simulation *simulation, size_t number,
                                   uint64_t allocation, struct failure *why)
{
    struct nursery *nursery = &simulation->nurseries[number];
    if (simulation->nepotism)
        TRY(nepotism_collect(simulation->nepotism, number, why));
    for (size_t i = 0; i < simulation->heaps->count; i++) {
        struct simulated *heap = &simulation->heaps->items[i];
        const struct live_parts live = parts_of(simulation, nursery, heap->tenure);
        if (!goes_on_with(heap, nursery))
            continue;
        simulated_collect_minor(heap, &live, allocation);
        if (heap->has_ended)
            note_end(simulation, heap);
    }
    nursery_empty(nursery, allocation);
    return STATUS_OK;
}

/* An object that is larger than a nursery is old at once. */
static void allocate_old(struct simulation *simulation, const struct nursery *nursery,
                         const struct heap_birth *birth)
{
    for (size_t i = 0; i < simulation->heaps->count; i++) {
        struct simulated *heap = &simulation->heaps->items[i];
        struct live_parts live = parts_of(simulation, nursery, heap->tenure);
        live.staying = nursery_live(nursery, 1, heap->tenure + 1);
        if (!goes_on_with(heap, nursery))
            continue;
        simulated_allocate_old(heap, birth->size, &live, birth->number);
        if (heap->has_ended)
            note_end(simulation, heap);
    }
}

static enum status allocate_in_nursery(struct simulation *simulation, size_t number,
                                       const struct heap_birth *birth, struct failure *why)
{
    struct nursery *nursery = &simulation->nurseries[number];
    if (birth->size > nursery->size) {
        allocate_old(simulation, nursery, birth);
        return STATUS_OK;
    }
    if (nursery_is_full(nursery, birth->size)) {
        TRY(collect_nursery(simulation, number, birth->number, why));
    } else if (simulation->has_unasked) {
        const struct heap_birth none = {.number = birth->number};
        allocate_old(simulation, nursery, &none);
    }
    nursery_add(nursery, birth->size);
    return STATUS_OK;
}

/* The program asks for an object. */
static enum status ask_for(struct simulation *simulation, const struct heap_birth *birth,
                           struct failure *why)
{
    for (size_t i = 0; i < simulation->nursery_count; i++)
        TRY(allocate_in_nursery(simulation, i, birth, why));
    /* Heaps without nurseries come first. */
    for (size_t i = 0; i < simulation->heaps->count; i++) {
        struct simulated *heap = &simulation->heaps->items[i];
        if (heap->nursery > 0)
            break;
        if (heap->has_ended)
            continue;
        simulated_allocate(heap, birth->size, simulation->live);
        if (heap->has_ended)
            note_end(simulation, heap);
    }
    simulation->asked += birth->size;
    simulation->has_unasked = false;
    return STATUS_OK;
}

static enum status see_birth(void *context, const struct heap_birth *birth, struct failure *why)
{
    struct simulation *simulation = context;
    if (birth->kind == HEAP_ALLOCATED)
        TRY(ask_for(simulation, birth, why));
    simulation->has_unasked |= birth->kind == HEAP_OF_VM;
    if (birth->kind != HEAP_PRIOR)
        simulation->live += birth->size;
    for (size_t i = 0; birth->kind == HEAP_OF_VM && i < simulation->heaps->count; i++)
        simulation->heaps->items[i].used += birth->size;
    if (simulation->nepotism)
        TRY(nepotism_born(simulation->nepotism, birth, why));
    return STATUS_OK;
}

static enum status see_death(void *context, const struct heap_death *death, struct failure *why)
{
    struct simulation *simulation = context;
    simulation->live -= death->size;
    for (size_t i = 0; i < simulation->nursery_count; i++)
        nursery_remove(&simulation->nurseries[i], death);
    return simulation->nepotism ? nepotism_died(simulation->nepotism, death, why) : STATUS_OK;
}

static enum status see_store(void *context, const struct heap_store *store, struct failure *why)
{
    struct simulation *simulation = context;
    struct aged_store ages;
    TRY(nepotism_add_store(simulation->nepotism, store, &ages, why));
    if (!ages.counts)
        return STATUS_OK;
    simulation->stores++;
    for (size_t i = 0; i < simulation->nursery_count; i++)
        for (unsigned tenure = ages.value[i]; tenure < ages.container[i]; tenure++)
            simulation->remembered[i][tenure]++;
    return STATUS_OK;
}

enum status simulate(struct simulated_heaps *heaps, const struct report_material *material,
                     bool has_stores, struct failure *why)
{
    struct simulation *simulation = calloc(1, sizeof *simulation);
    uint64_t prior_bytes = life_stream_summary(material->stream)->prior_bytes;
    enum status status = STATUS_OK;
    if (!simulation)
        return fail_memory(why);
    *simulation = (struct simulation){
        .heaps = heaps, .live = prior_bytes, .has_unasked = prior_bytes > 0};
    const struct heap_visitor visitor = {
        .born = see_birth,
        .died = see_death,
        .stored = has_stores ? see_store : NULL,
        .context = simulation,
    };
    list_nurseries(simulation);
    if (has_stores)
        status = prepare_nepotism(simulation, material, why);
    if (status == STATUS_OK)
        status = heap_events_visit(material->events, &visitor, material->pass->interrupt, why);
    for (size_t i = 0; i < heaps->count && status == STATUS_OK; i++)
        if (!heaps->items[i].has_ended)
            note_end(simulation, &heaps->items[i]);
    nepotism_free(simulation->nepotism);
    free(simulation);
    return status;
}
