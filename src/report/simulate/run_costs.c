/* SPDX-License-Identifier: MIT */
/* The simulation begins with the first records, since what they store and allocate is listed as
 * it comes, or with the lives if there are no records. */
#include "report/simulate/run_costs.h"

#include "base/memory.h"

#include <stdlib.h>

enum status run_costs_begin(struct run_costs *costs, const struct report_material *material,
                            struct failure *why)
{
    struct simulate_settings settings = material->settings->simulate;
    if (costs->simulation)
        return STATUS_OK;
    if (!settings.tenures)
        settings.tenures = "0,1,3";
    settings.leaves_out_large = !settings.nurseries;
    if (!settings.nurseries)
        settings.nurseries = "16K,64K,256K,1M,4M,16M,64M";
    return simulate_run_open(&costs->simulation, &settings, material->temporary, why);
}

enum status run_costs_read(struct run_costs *costs, const struct report_material *material,
                           const struct batch *batch, struct failure *why)
{
    enum status status = run_costs_begin(costs, material, why);
    return status == STATUS_OK ? simulate_run_read(costs->simulation, batch, why) : status;
}

enum status run_costs_add(struct run_costs *costs, const struct life_facts *life,
                          struct failure *why)
{
    return simulate_run_add_life(costs->simulation, life, why);
}

/* The smallest heap that the program gets through in with the collector and nursery of `heap`.
 */
static uint64_t smallest_of(const struct simulate_run *run, const struct simulated *heap)
{
    const struct smallest_heaps *smallest = simulate_run_smallest(run);
    size_t nursery = 0;
    if (heap->nursery == 0)
        return smallest_whole(smallest, heap->collector);
    while (simulate_run_plan(run)->nurseries[nursery] != heap->nursery)
        nursery++;
    return smallest->nurseries[nursery];
}

static struct collector_cost cost_of(const struct simulate_run *run,
                                     const struct simulated *heap)
{
    return (struct collector_cost){
        .collector = collector_words[heap->collector],
        .heap = heap->heap,
        .nursery = heap->nursery,
        .tenure = heap->tenure,
        .completed = !heap->has_ended,
        .allocated = heap->allocated,
        .minor = heap->minor,
        .major = heap->major,
        .copied = heap->copied,
        .promoted = heap->promoted,
        .marked = heap->marked,
        .is_smallest = heap->heap == smallest_of(run, heap),
    };
}

enum status run_costs_finish(struct run_costs *costs, const struct report_material *material,
                             struct failure *why)
{
    enum status status = simulate_run_finish(costs->simulation, material, why);
    if (status != STATUS_OK)
        return status;
    const struct simulated_heaps *heaps = simulate_run_heaps(costs->simulation);
    struct collector_costs *list = &costs->costs;
    list->items = array_new(heaps->count, sizeof *list->items);
    if (!list->items)
        return fail_memory(why);
    for (; list->count < heaps->count; list->count++)
        list->items[list->count] = cost_of(costs->simulation, &heaps->items[list->count]);
    return STATUS_OK;
}

void run_costs_free(struct run_costs *costs)
{
    simulate_run_close(costs->simulation);
    free(costs->costs.items);
    *costs = (struct run_costs){.simulation = NULL};
}
