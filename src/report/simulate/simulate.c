/* SPDX-License-Identifier: MIT */
/* Deaths are listed while lives come; then all that happens to the heap is gone through twice:
 * for the smallest heaps, since the sizes of others are multiples of these, and for the
 * simulation. Births are gone through once more for the longest tick. The report has a row a
 * heap: the table in TSV is the list of the document alone, and JSON has the same list below
 * what is said of the trace. */
#include "report/simulate/simulate.h"

#include "report/lives/live.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Simulates the plan. The caller frees run->heaps.items, also after a failure. */
static enum status simulate_plan(struct simulate_run *run, const struct plan *plan,
                                 const struct report_material *material, struct failure *why)
{
    uint64_t prior_bytes = life_stream_summary(material->stream)->prior_bytes;
    run->has_stores = plan_has_stores(plan);
    TRY(smallest_heaps_find(&run->smallest, plan, material, why));
    TRY(simulated_heaps_make(&run->heaps, plan, &run->smallest, prior_bytes, why));
    return simulate(&run->heaps, material, run->has_stores, why);
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

static void put_heaps(struct form *form, const char *path, const struct simulate_run *run)
{
    static const struct simulated none;
    const struct simulated_heaps *heaps = &run->heaps;
    form_list(form, path, NULL, 0);
    for (size_t i = 0; form_next(form, i, heaps->count); i++)
        put_heap(form, i < heaps->count ? &heaps->items[i] : &none, run->has_stores);
}

/* Puts the heaps as a list of the data of the page. */
static void put_costs(struct form *form, const void *run)
{
    put_heaps(form, "collectors", run);
}

static enum status simulate_begin(struct report *report, struct failure *why)
{
    const struct report_material *material = report->material;
    const struct lives_summary *summary = life_stream_summary(material->stream);
    if (material->is_recorded && summary->deaths == 0 && summary->lives > 0)
        return fail_at(why, STATUS_MEANING, material->trace, 0,
                       "The trace has no deaths, which --simulate needs: without --no-deaths "
                       "they are computed");
    report->state = calloc(1, sizeof(struct simulate_run));
    return report->state ? STATUS_OK : fail_memory(why);
}

/* Prints a row a heap; print->status says how that went. */
static void simulate_print(struct print *print, const struct report_material *material,
                           const struct simulate_run *run)
{
    bool is_json = material->settings->simulate_format == SIMULATE_JSON;
    struct form *form =
        is_json ? form_begin(print, FORMAT_JSON, "simulate-1") : form_begin_table(print);
    if (!form)
        return;
    if (is_json) {
        form_head(form, "");
        form_put(form, "trace", "name", value_text(material->trace));
        form_put(form, "unfinished", "text", value_text(material->reader->unfinished));
        form_put(form, "smallest_heap_bytes", "bytes", value_number(run->smallest.whole));
        form_put(form, "longest_tick_bytes", "bytes", value_number(run->longest_tick));
    }
    put_heaps(form, "heaps", run);
    form_finish(form);
}

static enum status simulate_finish(struct report *report, struct failure *why)
{
    const struct report_material *material = report->material;
    struct simulate_run *run = report->state;
    struct print print = {.sink = report->sink, .why = why};
    TRY(longest_tick_find(&run->longest_tick, material->stream, why));
    TRY(simulate_plan(run, &material->settings->simulate, material, why));
    simulate_print(&print, material, run);
    return print.status;
}

/* The smallest nursery that is simulated; UINT64_MAX: none is. */
static uint64_t smallest_nursery(const struct simulated_heaps *heaps)
{
    uint64_t smallest = UINT64_MAX;
    for (size_t i = 0; i < heaps->count; i++)
        if (heaps->items[i].nursery > 0 && heaps->items[i].nursery < smallest)
            smallest = heaps->items[i].nursery;
    return smallest;
}

/* Prints which nurseries are left out, if there are any. */
static void print_left_out(FILE *stream, const struct simulated_heaps *heaps)
{
    size_t count = heaps->left_out_count;
    if (count > 0)
        fprintf(stream, "--simulate leaves nurseries out that are larger than all heaps:");
    for (size_t i = 0; i < count; i++)
        fprintf(stream, "%s %" PRIu64,
                i == 0          ? ""
                : i + 1 < count ? ","
                                : " and",
                heaps->left_out[i]);
    if (count > 0)
        fprintf(stream, " bytes");
}

/* Prints that a tick is long compared with a nursery, if one is: what dies in it is promoted.
 */
static void print_long_tick(FILE *stream, const struct simulate_run *run)
{
    enum { PARTS = 10 };
    uint64_t nursery = smallest_nursery(&run->heaps), longest = run->longest_tick;
    if (nursery == UINT64_MAX || longest <= nursery / PARTS)
        return;
    if (run->heaps.left_out_count > 0)
        fprintf(stream, ". ");
    fprintf(stream,
            "Between two boundaries, %" PRIu64 " bytes are allocated, over a tenth of a "
            "nursery of %" PRIu64 ": what dies there is promoted as if it were alive; "
            "ettrace --tick-bytes adds boundaries between allocations",
            longest, nursery);
}

/* What is odd about the result, and why. If nothing is allocated, that is also why nurseries
 * are left out. */
static char *simulate_remark(const struct report *report)
{
    const struct simulate_run *run = report->state;
    size_t length = 0;
    char *text = NULL;
    if (run && life_stream_summary(report->material->stream)->end.bytes == 0)
        return strdup("--simulate has nothing to collect: no bytes are allocated");
    FILE *stream = run ? open_memstream(&text, &length) : NULL;
    if (!stream)
        return NULL;
    print_left_out(stream, &run->heaps);
    print_long_tick(stream, run);
    if (fclose(stream) == 0 && length > 0)
        return text;
    free(text);
    return NULL;
}

static void simulate_release(struct report *report)
{
    struct simulate_run *run = report->state;
    if (run)
        free(run->heaps.items);
    free(run);
}

/* The functions of the class, and what it is made from. */
#define SIMULATE                                                                               \
    .traits = TRAIT_EVENTS | TRAIT_LIFETIMES, .begin = simulate_begin,                         \
    .finish = simulate_finish, .remark = simulate_remark, .release = simulate_release

const struct report_class simulate_report = {.wants = WANT_STORES, SIMULATE};
const struct report_class simulate_without_stores_report = {SIMULATE};

static enum status add_birth(void *context, const struct birth_facts *birth,
                             struct failure *why)
{
    return heap_events_add_birth(context, birth, why);
}

enum status run_costs_begin(struct run_costs *costs, const struct report_material *material,
                            struct failure *why)
{
    TRY(heap_events_open(&costs->events, material->stores, material->temporary, why));
    return material->stores ? STATUS_OK
                            : births_visit(material->stream, add_birth, costs->events, why);
}

enum status marking_costs_find(struct marking_costs *costs,
                               const struct report_material *material, struct failure *why)
{
    static const struct plan twice = {
        .collectors = {[COLLECTOR_WHOLE] = true},
        .heaps = {.items = {{.is_multiple = true, .number = 2000000 /* millionths */}},
                  .count = 1},
    };
    struct simulate_run run = {.has_stores = false};
    enum status status = simulate_plan(&run, &twice, material, why);
    if (status == STATUS_OK) {
        const struct simulated *heap = &run.heaps.items[run.heaps.count - 1];
        *costs = (struct marking_costs){run.smallest.whole, heap->allocated, heap->marked};
    }
    free(run.heaps.items);
    return status;
}

enum status run_costs_find(struct run_costs *costs, const struct report_material *material,
                           struct failure *why)
{
    struct plan plan = material->settings->simulate;
    plan_set_for_page(&plan);
    TRY(simulate_plan(&costs->run, &plan, material, why));
    costs->list = (struct form_part){put_costs, &costs->run, costs->run.heaps.count};
    return STATUS_OK;
}

void run_costs_free(struct run_costs *costs)
{
    heap_events_close(costs->events);
    free(costs->run.heaps.items);
    *costs = (struct run_costs){.events = NULL};
}
