/* SPDX-License-Identifier: MIT */
/* Deaths are listed while lives come; then all that happens to the heap is gone through twice:
 * for the smallest heaps, since the sizes of others are multiples of these, and for the
 * simulation. The report has a row a heap: the table in TSV is the list of the document alone,
 * and JSON has the same list below what is said of the trace. */
#include "report/simulate/simulate.h"

#include "report/form/form.h"
#include "report/report.h"
#include "report/simulate/simulation.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct simulate_run {
    struct plan plan;
    struct heap_events *events;
    struct smallest_heaps smallest;
    struct simulated_heaps heaps;
};

/* NULL is allowed. */
static void simulate_run_close(struct simulate_run *run)
{
    if (!run)
        return;
    heap_events_close(run->events);
    free(run->heaps.items);
    free(run);
}

static enum status add_birth(void *context, const struct birth_facts *birth,
                             struct failure *why)
{
    return heap_events_add_birth(context, birth, why);
}

/* Begins the simulation of the plan, before the lives come. The caller owns *out
 * (simulate_run_close). */
static enum status simulate_run_open(struct simulate_run **out, const struct plan *plan,
                                     const struct report_material *material,
                                     struct failure *why)
{
    struct simulate_run *run = calloc(1, sizeof *run);
    if (!run)
        return fail_memory(why);
    run->plan = *plan;
    enum status status =
        heap_events_open(&run->events, material->stores, material->temporary, why);
    if (status == STATUS_OK && !material->stores)
        status = births_visit(material->stream, add_birth, run->events, why);
    if (status == STATUS_OK)
        *out = run;
    else
        simulate_run_close(run);
    return status;
}

/* Records and lives have all been added: simulates. */
static enum status simulate_run_finish(struct simulate_run *run,
                                       const struct report_material *material,
                                       struct failure *why)
{
    const struct simulation_options options = {
        .prior_bytes = life_stream_summary(material->stream)->prior_bytes,
        .has_stores = plan_has_stores(&run->plan),
        .is_recorded = material->is_recorded,
        .window = material->engine->window,
        .interrupt = material->pass->interrupt,
    };
    TRY(heap_events_finish(run->events, why));
    TRY(smallest_heaps_find(&run->smallest, &run->plan, run->events, options.prior_bytes,
                            options.interrupt, why));
    TRY(simulated_heaps_make(&run->heaps, &run->plan, &run->smallest, options.prior_bytes,
                             why));
    return simulate(&run->heaps, run->events, &options, why);
}

/* The results, which belong to the run. */
static struct simulated_results simulate_run_results(const struct simulate_run *run,
                                                     const struct report_material *material)
{
    return (struct simulated_results){
        .trace = material->trace,
        .unfinished = material->reader->unfinished,
        .heaps = run->heaps.items,
        .count = run->heaps.count,
        .smallest = run->smallest.whole,
        .has_stores = plan_has_stores(&run->plan),
    };
}

enum { TEN_THOUSAND = 10000 };

/* Bytes that collections have copied, promoted or marked. */
static wide_sum work_of(const struct simulated *heap)
{
    return heap->copied + heap->promoted + heap->marked;
}

static struct value mark_cons(const struct simulated *heap)
{
    if (heap->allocated == 0)
        return NO_VALUE;
    return value_ten_thousandths((work_of(heap) * TEN_THOUSAND + heap->allocated / 2) /
                                 heap->allocated);
}

static struct value mean_work(const struct simulated *heap)
{
    uint64_t collections = heap->minor + heap->major;
    return collections == 0 ? NO_VALUE
                            : value_number(figures_whole_mean(work_of(heap), collections));
}

static void put_heap(struct form *form, const struct simulated *heap, bool has_stores)
{
    bool has_nursery = heap->nursery > 0;
    form_item(form);
    form_put(form, "collector", "word", value_text(collector_words[heap->collector]));
    form_put(form, "heap_bytes", "bytes", value_number(heap->heap));
    form_put(form, "nursery_bytes", "bytes", value_number_if(has_nursery, heap->nursery));
    form_put(form, "tenure", "collections", value_number_if(has_nursery, heap->tenure));
    form_put(form, "completed", "yes_or_no", value_number(heap->has_ended ? 0u : 1u));
    form_put(form, "allocated_bytes", "bytes", value_number(heap->allocated));
    form_put(form, "minor", "collections", value_number(heap->minor));
    form_put(form, "major", "collections", value_number(heap->major));
    form_put(form, "copied_bytes", "bytes", value_number(heap->copied));
    form_put(form, "promoted_bytes", "bytes", value_number(heap->promoted));
    form_put(form, "nepotism_bytes", "bytes", value_number(heap->nepotism));
    form_put(form, "marked_bytes", "bytes", value_number(heap->marked));
    form_put(form, "mark_cons", "ratio", mark_cons(heap));
    form_put(form, "largest_bytes", "bytes", value_number(heap->largest));
    form_put(form, "mean_bytes", "bytes", mean_work(heap));
    form_put(form, "stores", "stores", value_number_if(has_stores, heap->stores));
    form_put(form, "remembered_stores", "stores",
             value_number_if(has_stores, heap->remembered_stores));
}

static void put_heaps(struct form *form, const char *path,
                      const struct simulated_results *results)
{
    static const struct simulated none;
    form_list(form, path, NULL, 0);
    for (size_t i = 0; form_next(form, i, results->count); i++)
        put_heap(form, i < results->count ? &results->heaps[i] : &none, results->has_stores);
}

/* Puts the results as a list of the data of the page. */
static void put_costs(struct form *form, const void *results)
{
    put_heaps(form, "collectors", results);
}

/* Prints a row a heap; print->status says how that went. */
static void simulated_print(struct print *print, enum report_format format,
                            const struct simulated_results *results)
{
    bool is_json = format == FORMAT_JSON;
    struct form *form =
        is_json ? form_begin(print, format, "simulate-1") : form_begin_table(print);
    if (!form)
        return;
    if (is_json) {
        form_head(form, "");
        form_put(form, "trace", "name", value_text(results->trace));
        form_put(form, "unfinished", "text", value_text(results->unfinished));
        form_put(form, "smallest_heap_bytes", "bytes", value_number(results->smallest));
    }
    put_heaps(form, "heaps", results);
    form_finish(form);
}

static enum status simulate_begin(struct report *report, struct failure *why)
{
    struct simulate_run *run = NULL;
    const struct report_material *material = report->material;
    const struct lives_summary *summary = life_stream_summary(material->stream);
    if (material->is_recorded && summary->deaths == 0 && summary->lives > 0)
        return fail_at(why, STATUS_MEANING, material->trace, 0,
                       "The trace has no deaths, which --simulate needs: without --no-deaths "
                       "they are computed");
    TRY(simulate_run_open(&run, &material->settings->simulate, material, why));
    report->state = run;
    return STATUS_OK;
}

static enum status simulate_add_life(struct report *report, const struct life_facts *life,
                                     struct failure *why)
{
    const struct simulate_run *run = report->state;
    return heap_events_add_life(run->events, life, why);
}

static enum status simulate_finish(struct report *report, struct failure *why)
{
    const struct report_material *material = report->material;
    struct simulate_run *run = report->state;
    enum status status = simulate_run_finish(run, material, why);
    struct print print = {.sink = report->sink, .why = why};
    if (status != STATUS_OK)
        return status;
    const struct simulated_results results = simulate_run_results(run, material);
    bool is_json = material->settings->simulate_format == SIMULATE_JSON;
    simulated_print(&print, is_json ? FORMAT_JSON : FORMAT_TSV, &results);
    return print.status;
}

/* What is odd about the result, and why. If nothing is allocated, that is also why nurseries
 * are left out. */
static char *simulate_remark(const struct report *report)
{
    const struct simulate_run *run = report->state;
    const struct simulated_heaps *heaps = run ? &run->heaps : NULL;
    if (heaps && life_stream_summary(report->material->stream)->end.bytes == 0)
        return strdup("--simulate has nothing to collect: no bytes are allocated");
    size_t count = heaps ? heaps->left_out_count : 0, length = 0;
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
                heaps->left_out[i]);
    fprintf(stream, " bytes");
    if (fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}

static void simulate_release(struct report *report)
{
    simulate_run_close(report->state);
    report->state = NULL;
}

/* The functions of the class. */
#define SIMULATE                                                                               \
    .begin = simulate_begin, .life = simulate_add_life, .finish = simulate_finish,             \
    .remark = simulate_remark, .release = simulate_release

const struct report_class simulate_report = {.wants = WANT_LIVES | WANT_STORES, SIMULATE};
const struct report_class simulate_without_stores_report = {.wants = WANT_LIVES, SIMULATE};

enum status run_costs_begin(struct run_costs *costs, const struct report_material *material,
                            struct failure *why)
{
    struct plan plan = material->settings->simulate;
    plan_set_for_page(&plan);
    return simulate_run_open(&costs->simulation, &plan, material, why);
}

enum status run_costs_add(struct run_costs *costs, const struct life_facts *life,
                          struct failure *why)
{
    return heap_events_add_life(costs->simulation->events, life, why);
}

enum status run_costs_finish(struct run_costs *costs, const struct report_material *material,
                             struct failure *why)
{
    TRY(simulate_run_finish(costs->simulation, material, why));
    costs->results = simulate_run_results(costs->simulation, material);
    costs->list = (struct form_part){put_costs, &costs->results, costs->results.count};
    return STATUS_OK;
}

void run_costs_free(struct run_costs *costs)
{
    simulate_run_close(costs->simulation);
    *costs = (struct run_costs){.simulation = NULL};
}
