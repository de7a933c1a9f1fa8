/* SPDX-License-Identifier: MIT */
/* The smallest heap must be known before a heap twice as large can be filled, so births and
 * deaths are listed, in few bytes each, and read twice. The collector is `whole` of
 * report/simulate, and its figures are the same; it is not used from there, since no report
 * includes another, and this one needs no stores. */
#include "report/lives/population.h"

/* The heap while the lists are read: deaths before allocation number n come right before it. */
struct walked_heap {
    struct population *population;
    struct number_cursor *births, *deaths;
    uint64_t deaths_left;
    uint64_t death; /* allocations before the next one */
    uint64_t live;  /* bytes */
    wide_sum used;  /* bytes, live or not */
};

/* The program asks for bytes. */
typedef void ask_heap(struct walked_heap *heap, uint64_t size);

enum status population_open(struct population *population, const struct lives_summary *summary,
                            const struct temporary_folder *temporary, struct failure *why)
{
    population->bytes_in_all = summary->end.bytes;
    population->prior_bytes = summary->prior_bytes;
    TRY(number_list_open(&population->birth_list, temporary, why));
    return number_list_open(&population->death_list, temporary, why);
}

void population_close(struct population *population)
{
    number_list_close(population->birth_list);
    number_list_close(population->death_list);
}

enum status population_add_birth(struct population *population, const struct birth_facts *birth,
                                 struct failure *why)
{
    bool is_of_vm = birth->kind == RECORD_VM;
    TRY(number_list_add(population->birth_list, is_of_vm, why));
    population->births++;
    population->asked += is_of_vm ? 0 : birth->size;
    return number_list_add(population->birth_list, birth->size, why);
}

enum status population_add_life(struct population *population, const struct life_facts *life,
                                struct failure *why)
{
    population->space_time += (wide_sum)life->size * life_bytes(life);
    if (life->survives)
        return STATUS_OK;
    uint64_t step = life->died_allocations - population->died_allocations;
    TRY(number_list_add(population->death_list, step, why));
    population->died_allocations = life->died_allocations;
    population->deaths++;
    return number_list_add(population->death_list, life->size, why);
}

/* Finds where the next death is. */
static enum status fetch_death(struct walked_heap *heap, struct failure *why)
{
    uint64_t step = 0;
    if (heap->deaths_left > 0)
        TRY(number_cursor_next(heap->deaths, &step, why));
    heap->death += step;
    return STATUS_OK;
}

static enum status pass_deaths(struct walked_heap *heap, uint64_t allocations,
                               struct failure *why)
{
    while (heap->deaths_left > 0 && heap->death <= allocations) {
        uint64_t size = 0;
        TRY(number_cursor_next(heap->deaths, &size, why));
        heap->live -= size;
        heap->deaths_left--;
        TRY(fetch_death(heap, why));
    }
    return STATUS_OK;
}

static enum status pass_birth(struct walked_heap *heap, ask_heap *ask, struct failure *why)
{
    uint64_t is_of_vm = 0, size = 0;
    TRY(number_cursor_next(heap->births, &is_of_vm, why));
    TRY(number_cursor_next(heap->births, &size, why));
    if (!is_of_vm)
        ask(heap, size);
    heap->used += size;
    heap->live += size;
    return STATUS_OK;
}

static enum status walk(struct population *population, ask_heap *ask, struct failure *why)
{
    struct walked_heap heap = {.population = population,
                               .deaths_left = population->deaths,
                               .live = population->prior_bytes,
                               .used = population->prior_bytes};
    enum status status = number_cursor_open(&heap.births, population->birth_list, why);
    if (status == STATUS_OK)
        status = number_cursor_open(&heap.deaths, population->death_list, why);
    if (status == STATUS_OK)
        status = fetch_death(&heap, why);
    for (uint64_t i = 0; i < population->births && status == STATUS_OK; i++) {
        status = pass_deaths(&heap, i, why);
        if (status == STATUS_OK)
            status = pass_birth(&heap, ask, why);
    }
    number_cursor_close(heap.births);
    number_cursor_close(heap.deaths);
    return status;
}

static void find_smallest(struct walked_heap *heap, uint64_t size)
{
    wide_sum needed = (wide_sum)heap->live + size;
    uint64_t limited = needed > UINT64_MAX ? UINT64_MAX : (uint64_t)needed;
    if (limited > heap->population->smallest_heap)
        heap->population->smallest_heap = limited;
}

/* What is asked for always fits after a collection. */
static void collect_whole(struct walked_heap *heap, uint64_t size)
{
    if (heap->used + size <= 2 * (wide_sum)heap->population->smallest_heap)
        return;
    heap->population->marked += heap->live;
    heap->used = heap->live;
}

enum status population_finish(struct population *population, struct failure *why)
{
    TRY(number_list_finish(population->birth_list, why));
    TRY(number_list_finish(population->death_list, why));
    TRY(walk(population, find_smallest, why));
    return walk(population, collect_whole, why);
}
