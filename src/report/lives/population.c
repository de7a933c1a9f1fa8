/* SPDX-License-Identifier: MIT */
/* The smallest heap must be known before a heap twice as large can be filled, so births and
 * deaths are listed and gone through twice. The collector is `whole` of report/simulate. */
#include "report/lives/population.h"

#include "report/lives/simulated.h"

enum status population_open(struct population *population, const struct lives_summary *summary,
                            const struct temporary_folder *temporary,
                            const struct interrupt *interrupt, struct failure *why)
{
    population->bytes_in_all = summary->end.bytes;
    population->prior_bytes = summary->prior_bytes;
    population->interrupt = interrupt;
    return heap_events_open(&population->events, NULL, temporary, why);
}

void population_close(struct population *population)
{
    heap_events_close(population->events);
}

enum status population_add_birth(struct population *population, const struct birth_facts *birth,
                                 struct failure *why)
{
    if (heap_kind_of((unsigned)birth->kind) == HEAP_ALLOCATED)
        population->asked += birth->size;
    return heap_events_add_birth(population->events, birth, why);
}

enum status population_add_life(struct population *population, const struct life_facts *life,
                                struct failure *why)
{
    population->space_time += (wide_sum)life->size * life_bytes(life);
    return heap_events_add_life(population->events, life, why);
}

/* While the events are gone through. */
struct collected {
    uint64_t live; /* bytes */
    uint64_t *smallest;
    struct simulated heap;
};

static enum status see_death(void *context, const struct heap_death *death, struct failure *why)
{
    struct collected *collected = context;
    (void)why;
    collected->live -= death->size;
    return STATUS_OK;
}

static enum status find_smallest(void *context, const struct heap_birth *birth,
                                 struct failure *why)
{
    struct collected *collected = context;
    (void)why;
    if (birth->kind == HEAP_ALLOCATED)
        simulated_need(collected->smallest, (wide_sum)collected->live + birth->size);
    collected->live += birth->size;
    return STATUS_OK;
}

static enum status allocate(void *context, const struct heap_birth *birth, struct failure *why)
{
    struct collected *collected = context;
    (void)why;
    if (birth->kind == HEAP_ALLOCATED)
        simulated_allocate(&collected->heap, birth->size, collected->live);
    else
        collected->heap.used += birth->size;
    collected->live += birth->size;
    return STATUS_OK;
}

enum status population_finish(struct population *population, struct failure *why)
{
    uint64_t prior = population->prior_bytes, *smallest = &population->smallest_heap;
    struct collected first = {.live = prior, .smallest = smallest};
    struct collected second = {.live = prior,
                               .heap = {.collector = COLLECTOR_WHOLE, .used = prior}};
    const struct heap_visitor finder = {
        .born = find_smallest, .died = see_death, .context = &first};
    const struct heap_visitor collector = {
        .born = allocate, .died = see_death, .context = &second};
    TRY(heap_events_finish(population->events, why));
    TRY(heap_events_visit(population->events, &finder, population->interrupt, why));
    /* No more than that is allocated in all. */
    if (__builtin_mul_overflow(*smallest, UINT64_C(2), &second.heap.heap))
        second.heap.heap = UINT64_MAX;
    TRY(heap_events_visit(population->events, &collector, population->interrupt, why));
    population->marked = second.heap.marked;
    return STATUS_OK;
}
