/* SPDX-License-Identifier: MIT */
/* Lives are gone through once for all reports of a run. What is kept is what the rows of the
 * reports need, so that a report which needs nothing costs nothing. */
#include "report/reports.h"

#include "base/memory.h"
#include "report/simulate/simulate_run.h"
#include "trace/readahead.h"

#include <stdlib.h>

struct reports {
    struct report_material material;
    struct report *list;
    size_t count, capacity;
    unsigned needs;                 /* of all of them */
    struct simulate_run *simulated; /* with REPORT_NEEDS_COSTS */
    struct collector_costs costs;   /* of it, from reports_finish on */
    const struct names *names;
    bool names_wanted;
    void (*progress)(void *context, uint64_t done, uint64_t of); /* NULL: nobody looks */
    void *context;                                               /* of progress */
};

/* So many lives are between two looks at how far it is. */
enum { WATCH_EVERY = 1 << 14 };

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
    if (!ARRAY_RESERVE(reports->list, reports->capacity, reports->count + 1))
        return fail_memory(why);
    reports->list[reports->count++] = (struct report){
        .methods = methods,
        .material = &reports->material,
        .sink = request->sink,
        .folder = request->folder,
        .path = request->path,
        .moment = request->moment,
    };
    reports->needs |= methods->needs;
    return STATUS_OK;
}

void reports_set_reader(struct reports *reports, struct reader *reader)
{
    if (reports)
        reports->material.reader = reader;
}

void reports_set_window(struct reports *reports, uint64_t window)
{
    if (reports)
        reports->material.window = window;
}

void reports_set_names(struct reports *reports, const struct names *names, bool wanted)
{
    if (!reports)
        return;
    reports->names = names;
    reports->names_wanted = wanted;
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

void reports_restart(struct reports *reports)
{
    if (!reports)
        return;
    event_list_close(reports->material.events);
    reports->material.events = NULL;
    simulate_run_close(reports->simulated);
    reports->simulated = NULL;
    if (reports->material.moments)
        moments_restart(reports->material.moments);
    for (size_t i = 0; i < reports->count; i++)
        if (reports->list[i].methods->restart)
            reports->list[i].methods->restart(&reports->list[i]);
}

/* Whether a report is of a moment. */
static bool has_moment(const struct reports *reports, const struct report *report)
{
    unsigned needs = report->methods->needs;
    return needs & REPORT_NEEDS_GRAPHS ||
           (needs & REPORT_TAKES_MOMENT && reports->material.settings->at);
}

static bool have_moments(const struct reports *reports)
{
    for (size_t i = 0; i < reports->count; i++)
        if (has_moment(reports, &reports->list[i]))
            return true;
    return false;
}

/* Makes the moments, unless they are made: those of --at, or that of each report. */
static enum status open_moments(struct reports *reports, struct failure *why)
{
    struct report_material *material = &reports->material;
    if (material->moments)
        return STATUS_OK;
    material->moments = calloc(1, sizeof *material->moments);
    if (!material->moments)
        return fail_memory(why);
    if (material->settings->at)
        return moments_parse(material->moments, material->settings->at, why);
    for (size_t i = 0; i < reports->count; i++)
        if (reports->list[i].methods->needs & REPORT_NEEDS_GRAPHS)
            reports->list[i].moment =
                moments_take(material->moments, reports->list[i].methods->at);
    return STATUS_OK;
}

/* Goes on with `batch`. */
static enum status read_moments(struct reports *reports, const struct batch *batch,
                                struct failure *why)
{
    const struct report_material *material = &reports->material;
    enum status status = open_moments(reports, why);
    if (status == STATUS_OK)
        moments_read(material->moments, batch, material->reader->methods->holds_lifetimes);
    return status;
}

unsigned reports_needs(const struct reports *reports)
{
    return reports ? reports->needs : 0;
}

/* Opens the list of events, unless it is open. */
static enum status open_events(struct report_material *material, struct failure *why)
{
    return material->events ? STATUS_OK
                            : event_list_open(&material->events, material->temporary, why);
}

static enum status add_events(struct report_material *material, const struct batch *batch,
                              struct failure *why)
{
    enum status status = open_events(material, why);
    return status == STATUS_OK ? event_list_add(material->events, batch, why) : status;
}

/* Begins the simulation whose costs reports show, unless it has begun: with the options of
 * --simulate if there are any. By default there are more tenures to choose from, and nurseries
 * that fit into the heaps of small programs, too. */
static enum status open_costs(struct reports *reports, struct failure *why)
{
    const struct report_material *material = &reports->material;
    struct simulate_settings settings = material->settings->simulate;
    if (reports->simulated)
        return STATUS_OK;
    if (!settings.tenures)
        settings.tenures = "0,1,3";
    settings.leaves_out_large = !settings.nurseries;
    if (!settings.nurseries)
        settings.nurseries = "16K,64K,256K,1M,4M,16M,64M";
    return simulate_run_open(&reports->simulated, &settings, material->temporary, why);
}

static enum status read_costs(struct reports *reports, const struct batch *batch,
                              struct failure *why)
{
    enum status status = open_costs(reports, why);
    return status == STATUS_OK ? simulate_run_read(reports->simulated, batch, why) : status;
}

static enum status finish_costs(struct reports *reports, struct failure *why)
{
    if (!reports->simulated)
        return STATUS_OK;
    enum status status = simulate_run_finish(reports->simulated, &reports->material, why);
    if (status == STATUS_OK)
        status = simulate_run_costs(reports->simulated, &reports->costs, why);
    reports->material.costs = &reports->costs;
    return status;
}

enum status reports_read(struct reports *reports, const struct batch *batch,
                         struct failure *why)
{
    enum status status = STATUS_OK;
    if (reports && reports->needs & REPORT_NEEDS_EVENTS)
        status = add_events(&reports->material, batch, why);
    if (reports && status == STATUS_OK && have_moments(reports))
        status = read_moments(reports, batch, why);
    if (reports && status == STATUS_OK && reports->needs & REPORT_NEEDS_COSTS)
        status = read_costs(reports, batch, why);
    for (size_t i = 0; reports && i < reports->count && status == STATUS_OK; i++)
        if (reports->list[i].methods->read)
            status = reports->list[i].methods->read(&reports->list[i], batch, why);
    return status;
}

/* What a call of a report, which returned `status`, comes to. */
static enum status report_status(const struct report *report, enum status status)
{
    return status == STATUS_OK && report->methods->is_table ? report->table.status : status;
}

/* Releases what nothing looks at any more, unless the reports have one of these needs. */
static void drop_slots_unless(const struct reports *reports, unsigned needs)
{
    if (reports->needs & needs)
        return;
    slots_drop(reports->material.history->heap.slots);
    memory_trim(); /* what the index of objects took, too */
}

static enum status open_lives(struct reports *reports, struct engine *engine,
                              struct failure *why)
{
    drop_slots_unless(reports, WANT_CAUSES | WANT_REFERENCES);
    enum status status = engine_lives(engine, &reports->material.stream, why);
    drop_slots_unless(reports, WANT_REFERENCES);
    return status;
}

/* Makes the sums of what is alive at a moment (NULL: of all), unless they are made. */
static enum status open_sums_of(struct report_material *material, struct site_sums **sums,
                                const struct heap_moment *moment, bool has_pairs,
                                struct failure *why)
{
    if (*sums)
        return STATUS_OK;
    struct site_sums *opened = *sums = calloc(1, sizeof *opened);
    if (!opened)
        return fail_memory(why);
    opened->moment = moment;
    opened->has_pairs = has_pairs && death_sites_have_paths(material->history->death_sites);
    return site_sums_init(opened, material->stream, material->history, material->names,
                          material->temporary, why);
}

/* Gives each report that needs them its sums. */
static enum status open_sums(struct reports *reports, struct failure *why)
{
    struct report_material *material = &reports->material;
    size_t moments = material->moments ? material->moments->count : 0;
    enum status status = STATUS_OK;
    material->sums_of = array_new(moments, sizeof *material->sums_of);
    if (!material->sums_of)
        return fail_memory(why);
    for (size_t i = 0; i < reports->count && status == STATUS_OK; i++) {
        struct report *report = &reports->list[i];
        bool is_of_moment = has_moment(reports, report);
        struct site_sums **sums =
            is_of_moment ? &material->sums_of[report->moment] : &material->sums;
        if (!(report->methods->needs & REPORT_NEEDS_SUMS))
            continue;
        status = open_sums_of(material, sums,
                              is_of_moment ? &material->moments->items[report->moment] : NULL,
                              reports->needs & REPORT_NEEDS_PAIRS, why);
        report->sums = *sums;
    }
    return status;
}

/* The next sums from *number on, which moves on; NULL: there are no more. */
static struct site_sums *next_sums(const struct report_material *material, size_t *number)
{
    size_t count = material->sums_of && material->moments ? material->moments->count : 0;
    while (*number <= count) {
        size_t at = (*number)++;
        struct site_sums *sums = at == 0 ? material->sums : material->sums_of[at - 1];
        if (sums)
            return sums;
    }
    return NULL;
}

/* Ends the list of events, which is not open yet if the trace is empty. */
static enum status finish_events(struct report_material *material, struct failure *why)
{
    enum status status = open_events(material, why);
    return status == STATUS_OK ? event_list_finish(material->events, why) : status;
}

static enum status find_moments(struct reports *reports, struct failure *why)
{
    struct report_material *material = &reports->material;
    enum status status = open_moments(reports, why);
    return status == STATUS_OK
               ? moments_find(material->moments, material->stream, material->trace, why)
               : status;
}

/* Makes a graph for each moment. */
static enum status open_graphs(struct reports *reports, struct failure *why)
{
    struct report_material *material = &reports->material;
    const struct history *history = material->history;
    enum status status = STATUS_OK;
    size_t count = material->moments->count;
    material->graphs = array_new(count, sizeof *material->graphs);
    if (!material->graphs)
        return fail_memory(why);
    struct graph_options options = {
        .with_dead = material->settings->with_dead,
        .assumptions = material->assumptions,
        .explicit_time = history->explicit_time,
        .ticks_by_time = material->reader->methods->holds_lifetimes,
        .are_numbered = material->are_numbered,
        .forgets_the_dead = !material->is_recorded && !material->are_numbered,
        .stream = material->stream,
        .keeps_ids = reports->needs & REPORT_KEEPS_IDS,
        .site_names = reports->needs & REPORT_KEEPS_IDS ? material->names : NULL,
    };
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        options.moment = &material->moments->items[i];
        status = heap_graph_new(&material->graphs[i], &options, why);
    }
    return status;
}

static enum status see_life_in_graphs(struct report_material *material,
                                      const struct life_facts *life, struct failure *why)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; material->graphs && i < material->moments->count; i++)
        if (status == STATUS_OK)
            status = heap_graph_see_life(material->graphs[i], life, why);
    return status;
}

static void free_sums(struct report_material *material)
{
    size_t number = 0;
    for (struct site_sums *sums; (sums = next_sums(material, &number));) {
        site_sums_free(sums);
        free(sums);
    }
    free(material->sums_of);
}

static void free_graphs(struct report_material *material)
{
    for (size_t i = 0; material->graphs && i < material->moments->count; i++)
        heap_graph_free(material->graphs[i]);
    free(material->graphs);
    free(material->moments);
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
                                     report->material->history->interrupt, why);
    else if (methods->is_table)
        status = table_begin(&report->table, report->sink, report->path, why);
    if (status == STATUS_OK && methods->begin)
        status = report_status(report, methods->begin(report, why));
    return status;
}

static enum status add_to_sums(struct report_material *material, const struct life_facts *life,
                               struct failure *why)
{
    enum status status = STATUS_OK;
    size_t number = 0;
    for (struct site_sums *sums;
         status == STATUS_OK && (sums = next_sums(material, &number));) {
        const struct tallied_life tallied = site_sums_tallied(sums, life);
        status = site_sums_add(sums, life, &tallied, why);
        if (sums == material->sums)
            material->tallied = tallied;
    }
    return status;
}

/* The next life comes. */
static enum status see_life(struct reports *reports, const struct life_facts *life,
                            struct failure *why)
{
    enum status status = add_to_sums(&reports->material, life, why);
    if (status == STATUS_OK)
        status = see_life_in_graphs(&reports->material, life, why);
    if (status == STATUS_OK && reports->simulated)
        status = simulate_run_add_life(reports->simulated, life, why);
    for (size_t i = 0; i < reports->count && status == STATUS_OK; i++) {
        struct report *report = &reports->list[i];
        if (!report->methods->ended)
            continue;
        report->table.why = why;
        status = report_status(report, report->methods->ended(report, life, why));
    }
    return status;
}

static bool want_lives(const struct reports *reports)
{
    bool wanted = reports->material.sums_of || reports->material.graphs;
    for (size_t i = 0; i < reports->count; i++)
        wanted |= reports->list[i].methods->ended != NULL;
    return wanted;
}

/* Shows all lives to the reports, in the order of death. */
static enum status tell_lives(struct reports *reports, struct failure *why)
{
    const struct report_material *material = &reports->material;
    struct life_cursor *cursor = NULL;
    struct life_facts life;
    uint64_t delivered = 0;
    if (!material->stream || !want_lives(reports))
        return STATUS_OK;
    enum status status = life_cursor_open(&cursor, material->stream, why);
    while (status == STATUS_OK) {
        status = life_cursor_next(cursor, &life, why);
        if (status == STATUS_OK)
            status = interrupt_check(material->history->interrupt, why);
        if (status == STATUS_OK)
            status = see_life(reports, &life, why);
        if (++delivered % WATCH_EVERY == 0 && reports->progress)
            reports->progress(reports->context, delivered, count_lives(material));
    }
    life_cursor_close(cursor);
    return status == STATUS_END ? STATUS_OK : status;
}

enum status reports_begin(struct reports *reports, struct engine *engine, struct failure *why)
{
    enum status status = STATUS_OK;
    if (!reports)
        return STATUS_OK;
    struct report_material *material = &reports->material;
    struct history *history = engine_history(engine);
    material->is_recorded = engine_is_recorded(engine);
    bool has_names = reports->names && (reports->names_wanted || names_exist(reports->names));
    material->history = history;
    material->names = has_names ? reports->names : NULL;
    material->are_numbered = engine_numbering(engine);
    if (reports->needs & REPORT_NEEDS_EVENTS)
        status = finish_events(material, why);
    if (status == STATUS_OK && reports->needs & WANT_LIVES)
        status = open_lives(reports, engine, why);
    if (status == STATUS_OK && reports->needs & WANT_REFERENCES)
        status = engine_references(engine, &material->references, why);
    if (status == STATUS_OK && have_moments(reports))
        status = find_moments(reports, why);
    if (status == STATUS_OK && reports->needs & REPORT_NEEDS_SUMS)
        status = open_sums(reports, why);
    if (status == STATUS_OK && reports->needs & REPORT_NEEDS_GRAPHS)
        status = open_graphs(reports, why);
    if (status == STATUS_OK && reports->needs & REPORT_NEEDS_COSTS)
        status = open_costs(reports, why);
    for (size_t i = 0; i < reports->count && status == STATUS_OK; i++)
        status = begin_report(&reports->list[i], why);
    return status == STATUS_OK ? tell_lives(reports, why) : status;
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

struct graph_reading {
    struct heap_graph *graph;
    const struct history *history;
};

/* Goes on with the graph of a moment in another reading of the trace. */
static enum status read_graph(void *context, const struct batch *batch, struct failure *why)
{
    struct graph_reading *reading = context;
    enum status status = interrupt_check(reading->history->interrupt, why);
    return status == STATUS_OK ? heap_graph_read(reading->graph, batch, why) : status;
}

/* Reads the trace for the graph of a moment, writes the reports about it, and releases it: a
 * graph takes more memory than the reading takes time. */
static enum status finish_moment(struct reports *reports, size_t moment, struct failure *why)
{
    struct report_material *material = &reports->material;
    struct heap_graph *graph = material->graphs[moment];
    struct graph_reading reading = {.graph = graph, .history = material->history};
    reader_rewind(material->reader, NULL);
    enum status status = readahead_visit(material->reader, material->history->threads,
                                         read_graph, &reading, why);
    if (status == STATUS_OK)
        status = heap_graph_finish(graph, why);
    for (size_t i = 0; i < reports->count && status == STATUS_OK; i++) {
        struct report *report = &reports->list[i];
        if (!(report->methods->needs & REPORT_NEEDS_GRAPHS) || report->moment != moment)
            continue;
        report->graph = graph;
        status = finish_report(report, why);
        report->graph = NULL;
    }
    heap_graph_free(graph);
    memory_trim();
    material->graphs[moment] = NULL;
    return status;
}

/* The reports about heaps, of one moment after the other. */
static enum status finish_moments(struct reports *reports, struct failure *why)
{
    const struct report_material *material = &reports->material;
    enum status status = STATUS_OK;
    for (size_t i = 0; material->graphs && i < material->moments->count; i++)
        if (status == STATUS_OK)
            status = finish_moment(reports, i, why);
    return status;
}

enum status reports_finish(struct reports *reports, struct failure *why)
{
    enum status status = STATUS_OK;
    size_t number = 0;
    if (!reports)
        return STATUS_OK;
    for (struct site_sums *sums;
         status == STATUS_OK && (sums = next_sums(&reports->material, &number));)
        status = site_sums_finish(sums, why);
    if (status == STATUS_OK)
        status = finish_moments(reports, why);
    if (status == STATUS_OK)
        status = finish_costs(reports, why);
    for (size_t i = 0; i < reports->count && status == STATUS_OK; i++)
        if (!(reports->list[i].methods->needs & REPORT_NEEDS_GRAPHS))
            status = finish_report(&reports->list[i], why);
    for (size_t i = 0; i < reports->count && status == STATUS_OK; i++)
        if (reports->list[i].sink)
            status = sink_finish(reports->list[i].sink, why);
    return status;
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
    event_list_close(reports->material.events);
    free_sums(&reports->material);
    free_graphs(&reports->material);
    simulate_run_close(reports->simulated);
    free(reports->costs.items);
    free(reports->list);
    free(reports);
}
