/* SPDX-License-Identifier: MIT */
/* What happens to the heap is listed while the trace is read and while lives come; then the
 * list is read twice: for the smallest heaps, since the sizes of others are multiples of these,
 * and for the simulation. */
#include "report/simulate/simulate_run.h"

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
        .window = material->engine->window,
        .interrupt = material->pass->interrupt,
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

struct simulated_results simulate_run_results(const struct simulate_run *run,
                                              const struct report_material *material)
{
    return (struct simulated_results){
        .trace = material->trace,
        .unfinished = material->reader->unfinished,
        .heaps = run->heaps.items,
        .count = run->heaps.count,
        .smallest = run->smallest.whole,
        .has_stores = run->plan.has_stores,
    };
}

void simulate_run_close(struct simulate_run *run)
{
    if (!run)
        return;
    heap_events_close(run->events);
    free(run->heaps.items);
    free(run);
}
