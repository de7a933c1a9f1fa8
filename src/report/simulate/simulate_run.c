/* SPDX-License-Identifier: MIT */
/* What happens to the heap is listed while the trace is read and while its lives are gone
 * through; then the list is gone through twice: for the smallest heaps, which sizes of others
 * are multiples of, and for the simulation. */
#include "report/simulate/simulate_run.h"

#include "base/memory.h"
#include "report/simulate/simulation.h"

#include <stdlib.h>

struct simulate_run {
    struct plan plan;
    struct heap_events *events;
    struct smallest_heaps smallest;
    struct simulated_heaps heaps;
};

enum status simulate_run_open(struct simulate_run **out,
                              const struct simulate_settings *settings,
                              const struct temporary_folder *temporary, struct failure *why)
{
    struct simulate_run *run = calloc(1, sizeof *run);
    if (!run)
        return fail_memory(why);
    enum status status = plan_read(&run->plan, settings, why);
    if (status == STATUS_OK)
        status = heap_events_open(&run->events, run->plan.has_stores, temporary, why);
    if (status == STATUS_OK)
        *out = run;
    else
        simulate_run_close(run);
    return status;
}

enum status simulate_run_read(struct simulate_run *run, const struct batch *batch,
                              struct failure *why)
{
    return heap_events_add(run->events, batch, why);
}

enum status simulate_run_add_life(struct simulate_run *run, const struct life_facts *life,
                                  struct failure *why)
{
    return heap_events_add_life(run->events, life, why);
}

enum status simulate_run_finish(struct simulate_run *run,
                                const struct report_material *material, struct failure *why)
{
    const struct simulation_options options = {
        .prior_bytes = life_stream_summary(material->stream)->prior_bytes,
        .has_stores = run->plan.has_stores,
        .is_recorded = material->is_recorded,
        .are_renumbered = material->are_numbered,
        .window = material->window,
        .interrupt = material->history->interrupt,
    };
    enum status status = heap_events_finish(run->events, why);
    if (status == STATUS_OK)
        status = smallest_heaps_find(&run->smallest, &run->plan, run->events,
                                     options.prior_bytes, options.interrupt, why);
    if (status == STATUS_OK)
        status = simulated_heaps_make(&run->heaps, &run->plan, &run->smallest,
                                      options.prior_bytes, why);
    return status == STATUS_OK ? simulate(&run->heaps, run->events, &options, why) : status;
}

const struct simulated_heaps *simulate_run_heaps(const struct simulate_run *run)
{
    return &run->heaps;
}

const struct smallest_heaps *simulate_run_smallest(const struct simulate_run *run)
{
    return &run->smallest;
}

bool simulate_run_has_stores(const struct simulate_run *run)
{
    return run->plan.has_stores;
}

static uint64_t smallest_of(const struct simulate_run *run, const struct simulated *heap)
{
    if (heap->nursery == 0)
        return smallest_whole(&run->smallest, heap->collector);
    size_t nursery = 0;
    while (run->plan.nurseries[nursery] != heap->nursery)
        nursery++;
    return run->smallest.nurseries[nursery];
}

enum status simulate_run_costs(const struct simulate_run *run, struct collector_costs *out,
                               struct failure *why)
{
    out->items = array_new(run->heaps.count, sizeof *out->items);
    if (!out->items)
        return fail_memory(why);
    for (; out->count < run->heaps.count; out->count++) {
        const struct simulated *heap = &run->heaps.items[out->count];
        out->items[out->count] = (struct collector_cost){
            .collector = collector_name(heap->collector),
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
    return STATUS_OK;
}

void simulate_run_close(struct simulate_run *run)
{
    if (!run)
        return;
    heap_events_close(run->events);
    free(run->heaps.items);
    free(run);
}
