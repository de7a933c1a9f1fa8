/* SPDX-License-Identifier: MIT */
/* What happens to the heap is listed while the trace is read and while lives come; then the
 * list is read twice: for the smallest heaps, since the sizes of others are multiples of these,
 * and for the simulation. It begins with the first records, since what they store and allocate
 * is listed as it comes, or with the lives if there are no records. The report has a row a
 * heap: the table in TSV is the list of the document alone, and JSON has the same list below
 * what is said of the trace. */
#include "report/simulate/simulate.h"

#include "report/form/document.h"
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

/* Begins the simulation of the plan, with temporary files in `temporary`. The caller owns *out
 * (simulate_run_close). */
static enum status simulate_run_open(struct simulate_run **out, const struct plan *plan,
                                     const struct temporary_folder *temporary,
                                     struct failure *why)
{
    struct simulate_run *run = calloc(1, sizeof *run);
    if (!run)
        return fail_memory(why);
    run->plan = *plan;
    enum status status = heap_events_open(&run->events, plan_has_stores(plan), temporary, why);
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

static struct value completed_of(struct row *row)
{
    return value_number(((const struct simulated *)row->subject)->has_ended ? 0u : 1u);
}

static struct value mark_cons_of(struct row *row)
{
    const struct simulated *heap = row->subject;
    if (heap->allocated == 0)
        return NO_VALUE;
    return (struct value){.kind = VALUE_TEN_THOUSANDTHS,
                          .number = (work_of(heap) * TEN_THOUSAND + heap->allocated / 2) /
                                    heap->allocated};
}

static struct value mean_of(struct row *row)
{
    const struct simulated *heap = row->subject;
    uint64_t collections = heap->minor + heap->major;
    return collections == 0 ? NO_VALUE
                            : value_number(figures_whole_mean(work_of(heap), collections));
}

#define HEAP(key, unit, member) FIGURE(key, NULL, unit, 0, simulated, member)
#define HEAP_STORES(key, member)                                                               \
    FIGURE_WHERE(key, NULL, "stores", 0, simulated, member, simulated_results, has_stores)

static const struct figure heap_figures[] = {
    FIGURE_WORD("collector", NULL, 0, simulated, collector, collector_words),
    HEAP("heap_bytes", "bytes", heap),
    FIGURE_IF("nursery_bytes", NULL, "bytes", 0, simulated, nursery, nursery),
    FIGURE_IF("tenure", NULL, "collections", 0, simulated, tenure, nursery),
    FIGURE_OF("completed", NULL, "yes_or_no", 0, completed_of),
    HEAP("allocated_bytes", "bytes", allocated),
    HEAP("minor", "collections", minor),
    HEAP("major", "collections", major),
    HEAP("copied_bytes", "bytes", copied),
    HEAP("promoted_bytes", "bytes", promoted),
    HEAP("nepotism_bytes", "bytes", nepotism),
    HEAP("marked_bytes", "bytes", marked),
    FIGURE_OF("mark_cons", NULL, "ratio", 0, mark_cons_of),
    HEAP("largest_bytes", "bytes", largest),
    FIGURE_OF("mean_bytes", NULL, "bytes", 0, mean_of),
    HEAP_STORES("stores", stores),
    HEAP_STORES("remembered_stores", remembered_stores),
    FIGURES_END,
};

static const struct figure head_figures[] = {
    FIGURE("trace", NULL, "name", 0, simulated_results, trace),
    FIGURE("unfinished", NULL, "text", 0, simulated_results, unfinished),
    FIGURE("smallest_heap_bytes", NULL, "bytes", 0, simulated_results, smallest),
    FIGURES_END,
};

const struct section simulated_sections[] = {
    HEAD(head_figures),
    SECTION(LIST, "heaps", NULL, 0, 0, heap_figures,
            .array = ARRAY_AT(simulated_results, heaps, count)),
    SECTIONS_END,
};

/* Prints a row a heap; print->status says how that went. */
static void simulated_print(struct print *print, enum report_format format,
                            const struct simulated_results *results)
{
    if (format != FORMAT_JSON) {
        document_print_table(print, &simulated_sections[1], results);
        return;
    }
    struct document document = document_begin(print, format, "simulate-1");
    document_print(&document, simulated_sections, results);
    document_end(&document);
}

/* The simulation, begun when it is needed first. */
static enum status open_run(struct report *report, struct simulate_run **run,
                            struct failure *why)
{
    const struct report_material *material = report->material;
    enum status status = STATUS_OK;
    *run = report->state;
    if (!*run)
        status =
            simulate_run_open(run, &material->settings->simulate, material->temporary, why);
    report->state = *run;
    return status;
}

static enum status simulate_read(struct report *report, const struct batch *batch,
                                 struct failure *why)
{
    struct simulate_run *run = NULL;
    TRY(open_run(report, &run, why));
    return heap_events_add(run->events, batch, why);
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
    return open_run(report, &run, why);
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

const struct report_class simulate_report = {.read = simulate_read,
                                             .restart = simulate_release,
                                             .begin = simulate_begin,
                                             .life = simulate_add_life,
                                             .finish = simulate_finish,
                                             .remark = simulate_remark,
                                             .release = simulate_release};

enum status run_costs_begin(struct run_costs *costs, const struct report_material *material,
                            struct failure *why)
{
    struct plan plan = material->settings->simulate;
    if (costs->simulation)
        return STATUS_OK;
    plan_set_for_page(&plan);
    return simulate_run_open(&costs->simulation, &plan, material->temporary, why);
}

enum status run_costs_read(struct run_costs *costs, const struct report_material *material,
                           const struct batch *batch, struct failure *why)
{
    TRY(run_costs_begin(costs, material, why));
    return heap_events_add(costs->simulation->events, batch, why);
}

enum status run_costs_add(struct run_costs *costs, const struct life_facts *life,
                          struct failure *why)
{
    return heap_events_add_life(costs->simulation->events, life, why);
}

enum status run_costs_finish(struct run_costs *costs, const struct report_material *material,
                             struct failure *why)
{
    enum status status = simulate_run_finish(costs->simulation, material, why);
    if (status == STATUS_OK)
        costs->results = simulate_run_results(costs->simulation, material);
    costs->list = (struct document_part){&simulated_sections[1], &costs->results};
    return status;
}

void run_costs_free(struct run_costs *costs)
{
    simulate_run_close(costs->simulation);
    *costs = (struct run_costs){.simulation = NULL};
}
