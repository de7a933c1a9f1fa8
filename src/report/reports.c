/* SPDX-License-Identifier: MIT */
/* One pass over the lives serves all reports of a run. Only what the classes of these reports
 * ask for is made and kept, so that a report which needs little costs little. Everything about
 * a kind of report is in the class that its module defines, except the option that asks for it.
 * So no other code needs to know the module. */
#include "report/reports.h"

#include "base/memory.h"
#include "report/advise/advice.h"
#include "report/graph/heap_graph.h"
#include "report/graph/held.h"
#include "report/lives/site_sums.h"
#include "report/simulate/simulate.h"

#include <stdlib.h>

struct reports {
    struct report_material material;
    struct report *list;
    size_t count, capacity;
    unsigned wants, traits; /* of all of them */
    const struct names *names;
    bool names_wanted;
    /* Shared by several reports; made if one of them needs it: */
    struct moments moments;
    bool has_moments; /* `moments` is set */
    struct live_peaks peaks;
    struct run_sums sums;
    struct run_graphs graphs;
    struct run_costs costs;
    struct run_advice advice;
    struct run_held held;
    size_t held_moment;                                          /* with TRAIT_HELD: the end */
    uint64_t lives;                                              /* added so far */
    void (*progress)(void *context, uint64_t done, uint64_t of); /* NULL: nobody looks */
    void *context;                                               /* of progress */
};

/* Progress is reported after each so many lives. */
enum { PROGRESS_EVERY = 1 << 14 };

static const struct report_class *const classes[REPORT_COUNT] = {
    [REPORT_BOUNDS] = &bounds_report,         [REPORT_COLUMNS] = &columns_report,
    [REPORT_CONTEXTS] = &contexts_report,     [REPORT_DHAT] = &dhat_report,
    [REPORT_FOLDED] = &folded_report,         [REPORT_GROUPS] = &groups_report,
    [REPORT_HEAP_DUMP] = &heap_dump_report,   [REPORT_HELD] = &held_report,
    [REPORT_LIFETIMES] = &lifetimes_report,   [REPORT_LIVE] = &live_report,
    [REPORT_LIVE_CHECK] = &live_check_report, [REPORT_MATCH_SITES] = &match_sites_report,
    [REPORT_ORACLE] = &oracle_reports[0][0],  [REPORT_PAGE] = &page_report,
    [REPORT_REFERENCES] = &references_report, [REPORT_SIMULATE] = &simulate_report,
    [REPORT_STATS] = &stats_report,
};

const struct report_class *report_class_of(enum report_kind kind,
                                           const struct report_settings *settings)
{
    if (kind == REPORT_ORACLE)
        return &oracle_reports[settings->oracle_form][settings->oracle_free];
    if (kind == REPORT_CONTEXTS && settings->contexts_by != CONTEXTS_BY_ALLOCATION)
        return &contexts_of_deaths_report;
    if (kind == REPORT_SIMULATE && !plan_has_stores(&settings->simulate))
        return &simulate_without_stores_report;
    if (kind == REPORT_FOLDED && settings->folded_by != CONTEXTS_BY_ALLOCATION)
        return &folded_deaths_report;
    if (kind == REPORT_FOLDED &&
        (settings->folded_weight == FOLDED_LIFETIME || settings->folded_weight == FOLDED_DRAG))
        return &folded_lifetimes_report;
    if (kind == REPORT_STATS &&
        (settings->stats_is_brief || settings->stats_format == FORMAT_TSV))
        return &stats_in_short_report;
    return classes[kind];
}

unsigned report_traits(const struct report_class *methods)
{
    static const unsigned of_moments[] = {
        [OF_THE_RUN] = 0,
        [OF_MOMENTS_GIVEN] = TRAIT_MOMENTS,
        [OF_THE_PEAK] = TRAIT_MOMENTS | TRAIT_GRAPH,
        [OF_THE_END] = TRAIT_MOMENTS | TRAIT_GRAPH,
    };
    static const unsigned of_sums[] = {
        [SUMS_OF_NOTHING] = 0,
        [SUMS_OF_ALLOCATIONS] = TRAIT_SUMS | TRAIT_CONTEXTS,
        [SUMS_OF_PAIRS] = TRAIT_SUMS | TRAIT_CONTEXTS | TRAIT_PAIRS,
    };
    unsigned traits = methods->traits | of_moments[methods->of] | of_sums[methods->sums];
    if (traits & (TRAIT_MARKING | TRAIT_COSTS))
        traits |= TRAIT_EVENTS;
    return methods->wants & WANT_CONTEXTS ? traits | TRAIT_CONTEXTS : traits;
}

/* What a class wants of the engine: `wants`, and what its traits imply. */
static unsigned report_wants(const struct report_class *methods)
{
    unsigned wants = methods->wants, traits = report_traits(methods);
    if (methods->life || traits & (TRAIT_HELD | TRAIT_EVENTS | TRAIT_GRAPH | TRAIT_SUMS))
        wants |= WANT_LIVES;
    if (traits & TRAIT_COSTS)
        wants |= WANT_STORES;
    if (traits & TRAIT_CONTEXTS)
        wants |= WANT_CONTEXTS;
    if (traits & TRAIT_PAIRS)
        wants |= WANT_CAUSES | WANT_DEATH_SITES;
    if (traits & (TRAIT_HELD | TRAIT_GRAPH))
        wants |= WANT_NUMBERS;
    return wants;
}

enum status reports_new(struct reports **out, const struct report_material *material,
                        struct failure *why)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return fail_memory(why);
    (*out)->material = *material;
    return STATUS_OK;
}

enum status reports_add(struct reports *reports, const struct report_request *request,
                        struct failure *why)
{
    const struct report_class *methods =
        report_class_of(request->kind, reports->material.settings);
    bool is_of_moment =
        report_traits(methods) & TRAIT_MOMENTS && reports->material.settings->at.count > 0;
    if (!ARRAY_RESERVE(reports->list, reports->capacity, reports->count + 1))
        return fail_memory(why);
    reports->wants |= report_wants(methods);
    reports->traits |= report_traits(methods);
    reports->list[reports->count++] = (struct report){
        .methods = methods,
        .material = &reports->material,
        .sink = request->sink,
        .folder = request->folder,
        .path = request->path,
        .moment = is_of_moment ? &reports->moments.items[request->moment] : NULL,
    };
    return STATUS_OK;
}

void reports_set_reader(struct reports *reports, struct reader *reader,
                        const struct names *names, bool names_wanted)
{
    if (!reports)
        return;
    reports->material.reader = reader;
    reports->names = names;
    reports->names_wanted = names_wanted;
}

void reports_set_match(struct reports *reports, const struct run_match *match,
                       const struct page_match *page)
{
    if (!reports)
        return;
    reports->material.match = match;
    reports->material.page_match = page;
}

void reports_watch(struct reports *reports,
                   void (*progress)(void *context, uint64_t done, uint64_t of), void *context)
{
    if (!reports)
        return;
    reports->progress = progress;
    reports->context = context;
}

unsigned reports_wants(const struct reports *reports)
{
    return reports ? reports->wants : 0;
}

/* Whether a report has one of these traits. */
static bool any(const struct reports *reports, unsigned traits)
{
    return reports->traits & traits;
}

static bool is_of_graph(const struct report *report)
{
    return report_traits(report->methods) & TRAIT_GRAPH;
}

void reports_restart(struct reports *reports)
{
    if (!reports)
        return;
    moments_restart(&reports->moments);
    run_advice_free(&reports->advice);
    for (size_t i = 0; i < reports->count; i++)
        if (reports->list[i].methods->restart)
            reports->list[i].methods->restart(&reports->list[i]);
}

/* Whether the graph of the end is to be made for reports that show who holds the heap then. A
 * format of lifetimes has no references. */
static bool shows_held(const struct reports *reports)
{
    return any(reports, TRAIT_HELD) && !reports->material.reader->methods->holds_lifetimes;
}

/* Makes the moments of --at, or the default of each report. */
static void name_moments(struct reports *reports)
{
    const struct moments *at = &reports->material.settings->at;
    if (at->count > 0 && any(reports, TRAIT_MOMENTS)) {
        reports->moments = *at;
        return;
    }
    for (size_t i = 0; i < reports->count; i++) {
        struct report *report = &reports->list[i];
        if (!is_of_graph(report))
            continue;
        size_t number = moments_take(
            &reports->moments, report->methods->of == OF_THE_END ? HEAP_AT_END : HEAP_AT_PEAK);
        report->moment = &reports->moments.items[number];
    }
}

/* Makes the moments, unless they have been made. */
static void make_moments(struct reports *reports)
{
    if (reports->has_moments)
        return;
    reports->has_moments = true;
    name_moments(reports);
    if (shows_held(reports))
        reports->held_moment = moments_take(&reports->moments, HEAP_AT_END);
}

enum status reports_read(struct reports *reports, const struct batch *batch,
                         struct failure *why)
{
    if (!reports)
        return STATUS_OK;
    const struct report_material *material = &reports->material;
    enum status status = STATUS_OK;
    make_moments(reports);
    moments_read(&reports->moments, batch, material->reader->methods->holds_lifetimes);
    if (any(reports, TRAIT_ADVICE) && !material->reader->methods->holds_lifetimes)
        status = run_advice_read(&reports->advice, material, batch, why);
    for (size_t i = 0; i < reports->count && status == STATUS_OK; i++)
        if (reports->list[i].methods->read)
            status = reports->list[i].methods->read(&reports->list[i], batch, why);
    return status;
}

/* The status of a function of a report that returned `status`: its table may have failed
 * meanwhile. */
static enum status report_status(const struct report *report, enum status status)
{
    return status == STATUS_OK && report->methods->is_table ? report->table.status : status;
}

/* Releases the references of the heap, unless the reports want one of `wants`. */
static void drop_slots_unless(const struct reports *reports, unsigned wants)
{
    if (reports_wants(reports) & wants)
        return;
    slots_drop(reports->material.pass->heap.slots);
    memory_trim(); /* returns the memory to the system, that of the index of objects, too */
}

static enum status open_lives(struct reports *reports, struct engine *engine,
                              struct failure *why)
{
    struct report_material *material = &reports->material;
    if (!(reports_wants(reports) & WANT_LIVES))
        return STATUS_OK;
    /* Of a repeated id, the slots show which object a recorded death is that of. */
    if (!engine_is_recorded(engine))
        drop_slots_unless(reports, WANT_CAUSES | WANT_REFERENCES);
    enum status status = engine_lives(engine, &material->stream, why);
    drop_slots_unless(reports, WANT_REFERENCES);
    if (status == STATUS_OK && reports_wants(reports) & WANT_REFERENCES)
        status = engine_references(engine, &material->references, why);
    if (status == STATUS_OK && reports_wants(reports) & WANT_STORES)
        status = engine_stores(engine, &material->stores, why);
    return status;
}

/* Finds the moments, and the peaks if anything needs them. */
static enum status find_moments(struct reports *reports, struct failure *why)
{
    struct report_material *material = &reports->material;
    make_moments(reports);
    if (reports->moments.has_peak || any(reports, TRAIT_SUMS))
        TRY(live_find_peaks(&reports->peaks, material->stream, why));
    material->peaks = &reports->peaks;
    if (reports->moments.count == 0)
        return STATUS_OK;
    return moments_find(&reports->moments, material->stream, material->peaks, material->trace,
                        why);
}

/* Gives each report that is made from sums its sums. */
static enum status open_sums(struct reports *reports, struct failure *why)
{
    bool pairs = any(reports, TRAIT_PAIRS);
    for (size_t i = 0; i < reports->count; i++) {
        struct report *report = &reports->list[i];
        if (report_traits(report->methods) & TRAIT_SUMS)
            TRY(run_sums_find(&reports->sums, &reports->material, report->moment, pairs,
                              &report->sums, why));
    }
    return STATUS_OK;
}

/* Whether the graph of a moment is to be made. */
static bool is_graph_wanted(const struct reports *reports, size_t moment)
{
    if (shows_held(reports) && moment == reports->held_moment)
        return true;
    for (size_t i = 0; i < reports->count; i++)
        if (is_of_graph(&reports->list[i]) &&
            reports->list[i].moment == &reports->moments.items[moment])
            return true;
    return false;
}

static enum status open_graphs(struct reports *reports, struct failure *why)
{
    bool wanted[MOMENTS_MOST + 1];
    for (size_t i = 0; i < reports->moments.count; i++)
        wanted[i] = is_graph_wanted(reports, i);
    return run_graphs_open(&reports->graphs, &reports->material, &reports->moments, wanted,
                           any(reports, TRAIT_IDS), why);
}

/* Makes what several reports are made from. */
static enum status open_shared(struct reports *reports, struct failure *why)
{
    const struct report_material *material = &reports->material;
    TRY(find_moments(reports, why));
    TRY(open_sums(reports, why));
    if (any(reports, TRAIT_GRAPH) || shows_held(reports))
        TRY(open_graphs(reports, why));
    return any(reports, TRAIT_EVENTS) ? run_costs_begin(&reports->costs, material, why)
                                      : STATUS_OK;
}

/* How many lives there are. */
static uint64_t count_lives(const struct report_material *material)
{
    return life_stream_summary(material->stream)->lives;
}

static enum status begin_report(struct report *report, struct failure *why)
{
    const struct report_class *methods = report->methods;
    enum status status = STATUS_OK;
    if (methods->is_folder)
        status = table_begin_columns(&report->table, report->folder, report->path,
                                     count_lives(report->material),
                                     report->material->pass->interrupt, why);
    else if (methods->is_table)
        status = table_begin(&report->table, report->sink, report->path, why);
    if (status == STATUS_OK && methods->begin)
        status = report_status(report, methods->begin(report, why));
    return status;
}

static bool takes_lives(const struct report *report)
{
    return report->methods->life && !report->ignores_lives;
}

/* Shows a life to what the reports share, then to the reports. */
static enum status add_life(struct reports *reports, const struct life_facts *life,
                            struct failure *why)
{
    enum status status = run_sums_add(&reports->sums, life, why);
    run_graphs_add(&reports->graphs, life);
    if (status == STATUS_OK && reports->costs.events)
        status = heap_events_add_life(reports->costs.events, life, why);
    for (size_t i = 0; i < reports->count && status == STATUS_OK; i++) {
        struct report *report = &reports->list[i];
        if (!takes_lives(report))
            continue;
        report->table.why = why;
        status = report_status(report, report->methods->life(report, life, why));
    }
    return status;
}

/* Whether a report, or what it is made from, needs to see the lives. */
static bool see_lives(const struct reports *reports)
{
    for (size_t i = 0; i < reports->count; i++)
        if (takes_lives(&reports->list[i]))
            return true;
    return any(reports, TRAIT_SUMS | TRAIT_GRAPH | TRAIT_EVENTS);
}

static enum status see_life(void *context, const struct life_facts *life, struct failure *why)
{
    struct reports *reports = context;
    enum status status = add_life(reports, life, why);
    if (++reports->lives % PROGRESS_EVERY == 0 && reports->progress)
        reports->progress(reports->context, reports->lives, count_lives(&reports->material));
    return status;
}

/* Shows all lives, in the order of death. */
static enum status add_lives(struct reports *reports, struct failure *why)
{
    return see_lives(reports) ? lives_visit(reports->material.stream, see_life, reports, why)
                              : STATUS_OK;
}

enum status reports_begin(struct reports *reports, struct engine *engine, struct failure *why)
{
    if (!reports)
        return STATUS_OK;
    struct report_material *material = &reports->material;
    bool has_names = reports->names && (reports->names_wanted || names_exist(reports->names));
    run_advice_finish(&reports->advice);
    if (reports->advice.list.put)
        material->advice = &reports->advice.list;
    material->pass = engine_pass(engine);
    material->run = engine;
    material->digest = reader_digest(material->reader);
    material->is_recorded = engine_is_recorded(engine);
    material->are_numbered = engine_renumbers(engine);
    material->names = has_names ? reports->names : NULL;
    TRY(open_lives(reports, engine, why));
    TRY(open_shared(reports, why));
    for (size_t i = 0; i < reports->count; i++)
        TRY(begin_report(&reports->list[i], why));
    return add_lives(reports, why);
}

static enum status finish_report(struct report *report, struct failure *why)
{
    enum status status = STATUS_OK;
    report->table.why = why;
    if (report->methods->finish)
        status = report->methods->finish(report, why);
    if (!report->methods->is_table)
        return status;
    enum status ended = table_end(&report->table);
    return status == STATUS_OK ? ended : status;
}

/* Makes the graph of a moment, and finishes the reports on it. */
static enum status finish_moment(struct reports *reports, size_t moment, struct failure *why)
{
    const struct report_material *material = &reports->material;
    enum status status = run_graphs_read(&reports->graphs, material, moment, why);
    if (status == STATUS_OK && shows_held(reports) && moment == reports->held_moment)
        status = run_held_find(&reports->held, reports->graphs.items[moment], material, why);
    for (size_t i = 0; i < reports->count && status == STATUS_OK; i++) {
        struct report *report = &reports->list[i];
        if (!is_of_graph(report) || report->moment != &reports->moments.items[moment])
            continue;
        report->graph = reports->graphs.items[moment];
        status = finish_report(report, why);
        report->graph = NULL;
    }
    run_graphs_drop(&reports->graphs, moment);
    return status;
}

/* Completes what happens to the heap, and what is made from it. */
static enum status finish_costs(struct reports *reports, struct failure *why)
{
    struct report_material *material = &reports->material;
    struct run_costs *costs = &reports->costs;
    if (!costs->events)
        return STATUS_OK;
    TRY(heap_events_finish(costs->events, why));
    material->events = costs->events;
    if (any(reports, TRAIT_MARKING))
        TRY(marking_costs_find(&costs->marking, material, why));
    material->marking = &costs->marking;
    if (any(reports, TRAIT_COSTS))
        TRY(run_costs_find(costs, material, why));
    material->costs = &costs->list;
    return STATUS_OK;
}

/* After all lives: completes what the reports share. */
static enum status finish_shared(struct reports *reports, struct failure *why)
{
    enum status status = run_sums_finish(&reports->sums, why);
    for (size_t i = 0; i < reports->graphs.count && status == STATUS_OK; i++)
        if (reports->graphs.items[i])
            status = finish_moment(reports, i, why);
    if (reports->held.part.put)
        reports->material.held = &reports->held.part;
    return status == STATUS_OK ? finish_costs(reports, why) : status;
}

enum status reports_finish(struct reports *reports, struct failure *why)
{
    if (!reports)
        return STATUS_OK;
    TRY(finish_shared(reports, why));
    for (size_t i = 0; i < reports->count; i++)
        if (!is_of_graph(&reports->list[i]))
            TRY(finish_report(&reports->list[i], why));
    for (size_t i = 0; i < reports->count; i++)
        if (reports->list[i].sink)
            TRY(sink_finish(reports->list[i].sink, why));
    return STATUS_OK;
}

bool reports_show_lifetimes(const struct reports *reports)
{
    for (size_t i = 0; reports && i < reports->count; i++)
        if (reports->list[i].methods->traits & TRAIT_LIFETIMES && !reports->list[i].moment)
            return true;
    return false;
}

char *reports_remark(const struct reports *reports, size_t *at)
{
    char *remark = NULL;
    for (; reports && *at < reports->count && !remark; ++*at)
        if (reports->list[*at].methods->remark)
            remark = reports->list[*at].methods->remark(&reports->list[*at]);
    return remark;
}

void reports_free(struct reports *reports)
{
    if (!reports)
        return;
    for (size_t i = 0; i < reports->count; i++) {
        struct report *report = &reports->list[i];
        if (report->methods->release)
            report->methods->release(report);
        table_free(&report->table);
    }
    run_sums_free(&reports->sums);
    run_graphs_free(&reports->graphs);
    run_costs_free(&reports->costs);
    run_advice_free(&reports->advice);
    run_held_free(&reports->held);
    free(reports->list);
    free(reports);
}
