/* SPDX-License-Identifier: MIT */
/* What happens to the heap is listed while the trace is read and while its lives are gone
 * through; then the list is gone through twice: for the smallest heaps, which sizes of others
 * are multiples of, and for the simulation. */
#include "report/simulate/simulate.h"

#include "report/simulate/simulate_print.h"
#include "report/simulate/simulation.h"

#include <inttypes.h>
#include <stdlib.h>

struct simulate_state {
    struct plan plan;
    struct heap_events *events;
    struct smallest_heaps smallest;
    struct simulated_heaps heaps;
};

/* What the report is at, made when it is needed first. */
static enum status open_state(struct report *report, struct failure *why)
{
    const struct report_material *material = report->material;
    struct simulate_state *state = report->state;
    if (state && state->events)
        return STATUS_OK;
    if (!state)
        state = report->state = calloc(1, sizeof *state);
    if (!state)
        return fail_memory(why);
    enum status status = plan_read(&state->plan, &material->settings->simulate, why);
    return status == STATUS_OK
               ? heap_events_open(&state->events, state->plan.has_stores, material->place, why)
               : status;
}

enum status simulate_read(struct report *report, const struct batch *batch, struct failure *why)
{
    enum status status = open_state(report, why);
    const struct simulate_state *state = report->state;
    return status == STATUS_OK ? heap_events_add(state->events, batch, why) : status;
}

void simulate_restart(struct report *report)
{
    struct simulate_state *state = report->state;
    if (!state)
        return;
    heap_events_close(state->events);
    state->events = NULL;
}

enum status simulate_begin(struct report *report, struct failure *why)
{
    const struct report_material *material = report->material;
    const struct lives_summary *summary = life_stream_summary(material->stream);
    if (material->is_recorded && summary->deaths == 0 && summary->lives > 0)
        return fail_at(why, STATUS_MEANING, material->trace, 0,
                       "The trace has no deaths, which --simulate needs: without --no-deaths "
                       "they are computed");
    return open_state(report, why);
}

enum status simulate_ended(struct report *report, const struct life_facts *life,
                           struct failure *why)
{
    const struct simulate_state *state = report->state;
    return heap_events_add_life(state->events, life, why);
}

static enum status simulate_all(struct report *report, struct failure *why)
{
    const struct report_material *material = report->material;
    struct simulate_state *state = report->state;
    const struct simulation_options options = {
        .prior_bytes = life_stream_summary(material->stream)->prior_bytes,
        .has_stores = state->plan.has_stores,
        .is_recorded = material->is_recorded,
        .are_renumbered = material->are_numbered,
        .window = material->window,
        .interrupt = material->history->interrupt,
    };
    enum status status = heap_events_finish(state->events, why);
    if (status == STATUS_OK)
        status = smallest_heaps_find(&state->smallest, &state->plan, state->events,
                                     options.prior_bytes, options.interrupt, why);
    if (status == STATUS_OK)
        status = simulated_heaps_make(&state->heaps, &state->plan, &state->smallest,
                                      options.prior_bytes, why);
    return status == STATUS_OK ? simulate(&state->heaps, state->events, &options, why) : status;
}

enum status simulate_finish(struct report *report, struct failure *why)
{
    const struct report_material *material = report->material;
    const struct simulate_state *state = report->state;
    enum status status = simulate_all(report, why);
    struct print print = {.sink = report->sink, .why = why};
    const struct simulated_results results = {
        .trace = material->trace,
        .heaps = &state->heaps,
        .smallest = &state->smallest,
        .has_stores = state->plan.has_stores,
    };
    if (status != STATUS_OK)
        return status;
    bool is_json = material->settings->simulate.format == SIMULATE_JSON;
    simulated_print(&print, is_json ? FORMAT_JSON : FORMAT_TSV, &results);
    return print.status;
}

char *simulate_remark(const struct report *report)
{
    const struct simulate_state *state = report->state;
    size_t count = state ? state->heaps.left_out_count : 0, length = 0;
    char *text = NULL;
    FILE *stream = count > 0 ? open_memstream(&text, &length) : NULL;
    if (!stream)
        return NULL;
    fprintf(stream, "--simulate leaves nurseries out that are larger than all heaps:");
    for (size_t i = 0; i < count; i++)
        fprintf(stream, "%s %" PRIu64,
                i == 0          ? ""
                : i + 1 < count ? ","
                                : " and",
                state->heaps.left_out[i]);
    fprintf(stream, " bytes");
    if (fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}

void simulate_release(struct report *report)
{
    struct simulate_state *state = report->state;
    if (!state)
        return;
    heap_events_close(state->events);
    free(state->heaps.items);
    free(state);
    report->state = NULL;
}
