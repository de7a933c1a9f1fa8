/* SPDX-License-Identifier: MIT */
/* The bytes that are live are added up once for all heaps, those that are young once for all
 * heaps with one nursery; a heap has only a few sums of its own. */
#include "report/simulate/simulation.h"

#include "report/simulate/nepotism.h"

#include <stdlib.h>

struct simulation {
    const struct simulation_options *options;
    struct simulated_heaps *heaps;
    struct nursery nurseries[PLAN_SIZES_MOST];
    size_t nursery_count;
    uint64_t remembered[PLAN_SIZES_MOST][AGE_OLD]; /* stores, by nursery and tenure */
    struct nepotism *nepotism;                     /* NULL: nothing is known of stores */
    struct early_names names;
    uint64_t live, asked; /* bytes */
    uint64_t stores;
    bool has_unasked; /* since the latest allocation objects came for which nobody asked */
};

/* The number of the nursery with so many bytes. */
static size_t nursery_of(const struct simulation *simulation, uint64_t size)
{
    size_t nursery = 0;
    while (simulation->nurseries[nursery].size != size)
        nursery++;
    return nursery;
}

static void list_nurseries(struct simulation *simulation)
{
    for (size_t i = 0; i < simulation->heaps->count; i++) {
        const struct simulated *heap = &simulation->heaps->items[i];
        size_t at = 0;
        if (heap->nursery == 0)
            continue;
        while (at < simulation->nursery_count &&
               simulation->nurseries[at].size != heap->nursery)
            at++;
        struct nursery *nursery = &simulation->nurseries[at];
        if (at == simulation->nursery_count)
            simulation->nursery_count++;
        nursery->size = heap->nursery;
        if (heap->tenure > nursery->longest)
            nursery->longest = heap->tenure;
    }
}

/* Adds the heaps that have nepotism to what finds it: heaps of one nursery follow each other.
 */
static enum status watch_heaps(struct simulation *simulation, const struct heap_events *events,
                               struct failure *why)
{
    const struct nepotism_options options = {
        .nurseries = simulation->nurseries,
        .nursery_count = simulation->nursery_count,
        .is_recorded = simulation->options->is_recorded,
        .names = &simulation->names,
        .window = simulation->options->window,
    };
    const struct early_options early = {
        .window = options.window,
        .interrupt = simulation->options->interrupt,
    };
    enum status status = early_names_find(&simulation->names, events, &early, why);
    if (status == STATUS_OK)
        status = nepotism_new(&simulation->nepotism, &options, why);
    for (size_t i = 0; i < simulation->heaps->count && status == STATUS_OK; i++) {
        struct simulated *heap = &simulation->heaps->items[i];
        if (heap->collector == COLLECTOR_GENERATIONAL)
            status = nepotism_watch(simulation->nepotism, heap,
                                    nursery_of(simulation, heap->nursery), why);
    }
    return status;
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
    enum status status = STATUS_OK;
    if (simulation->nepotism)
        status = nepotism_collect(simulation->nepotism, number, why);
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
    return status;
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
    enum status status = STATUS_OK;
    if (birth->size > nursery->size) {
        allocate_old(simulation, nursery, birth);
        return STATUS_OK;
    }
    if (nursery_is_full(nursery, birth->size)) {
        status = collect_nursery(simulation, number, birth->number, why);
    } else if (simulation->has_unasked) {
        const struct heap_birth none = {.number = birth->number};
        allocate_old(simulation, nursery, &none);
    }
    nursery_add(nursery, birth->size);
    return status;
}

/* The program asks for an object. */
static enum status ask_for(struct simulation *simulation, const struct heap_birth *birth,
                           struct failure *why)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < simulation->nursery_count && status == STATUS_OK; i++)
        status = allocate_in_nursery(simulation, i, birth, why);
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
    return status;
}

static enum status see_birth(void *context, const struct heap_birth *birth, struct failure *why)
{
    struct simulation *simulation = context;
    enum status status = STATUS_OK;
    if (birth->kind == HEAP_ALLOCATED)
        status = ask_for(simulation, birth, why);
    simulation->has_unasked |= birth->kind == HEAP_OF_VM;
    if (birth->kind != HEAP_PRIOR)
        simulation->live += birth->size;
    for (size_t i = 0; birth->kind == HEAP_OF_VM && i < simulation->heaps->count; i++)
        simulation->heaps->items[i].used += birth->size;
    if (status == STATUS_OK && simulation->nepotism)
        status = nepotism_born(simulation->nepotism, birth, why);
    return status;
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
    enum status status = nepotism_add_store(simulation->nepotism, store, &ages, why);
    if (status != STATUS_OK || !ages.counts)
        return status;
    simulation->stores++;
    for (size_t i = 0; i < simulation->nursery_count; i++)
        for (unsigned tenure = ages.value[i]; tenure < ages.container[i]; tenure++)
            simulation->remembered[i][tenure]++;
    return STATUS_OK;
}

enum status simulate(struct simulated_heaps *heaps, const struct heap_events *events,
                     const struct simulation_options *options, struct failure *why)
{
    struct simulation *simulation = calloc(1, sizeof *simulation);
    enum status status = STATUS_OK;
    if (!simulation)
        return fail_memory(why);
    *simulation = (struct simulation){.options = options,
                                      .heaps = heaps,
                                      .live = options->prior_bytes,
                                      .has_unasked = options->prior_bytes > 0};
    const struct heap_visitor visitor = {
        .born = see_birth,
        .died = see_death,
        .stored = options->has_stores ? see_store : NULL,
        .context = simulation,
    };
    list_nurseries(simulation);
    if (options->has_stores)
        status = watch_heaps(simulation, events, why);
    if (status == STATUS_OK)
        status = heap_events_visit(events, &visitor, options->interrupt, why);
    for (size_t i = 0; i < heaps->count && status == STATUS_OK; i++)
        if (!heaps->items[i].has_ended)
            note_end(simulation, &heaps->items[i]);
    nepotism_free(simulation->nepotism);
    early_names_free(&simulation->names);
    free(simulation);
    return status;
}
