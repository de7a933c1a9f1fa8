/* SPDX-License-Identifier: MIT */
/* The lives of objects are made once for all reports of a run. What is kept and told is what
 * the rows of the reports need, so that a report which needs nothing costs nothing. */
#include "report/reports.h"

#include "base/memory.h"
#include "base/thread.h"

#include <stdlib.h>

/* What reports do beside the second reading. */
struct reports_aside {
    pthread_t thread;
    bool is_running;
    enum status status;
    struct failure why;
};

struct reports {
    struct report_material material;
    struct report list[REPORT_COUNT];
    enum report_kind kinds[REPORT_COUNT]; /* of these */
    size_t count;
    unsigned needs; /* of all of them */
    const struct names *names;
    bool names_wanted;
    struct line_map lines; /* of the trace without its deaths */
    struct merge_observer observer;
    struct reports_aside aside;
};

enum status reports_new(struct reports **out, const struct report_material *material,
                        struct failure *why)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return fail_memory(why);
    (*out)->material = *material;
    return STATUS_OK;
}

void reports_add(struct reports *reports, enum report_kind kind, struct sink *sink,
                 const char *path)
{
    const struct report_class *methods = report_class_of(kind, reports->material.settings);
    reports->kinds[reports->count] = kind;
    reports->list[reports->count++] = (struct report){
        .methods = methods, .material = &reports->material, .sink = sink, .path = path};
    reports->needs |= methods->needs;
}

void reports_add_folder(struct reports *reports, enum report_kind kind, const char *folder,
                        const char *shown)
{
    reports_add(reports, kind, NULL, shown);
    reports->list[reports->count - 1].folder = folder;
}

void reports_set_reader(struct reports *reports, struct reader *reader)
{
    if (reports)
        reports->material.reader = reader;
}

void reports_set_names(struct reports *reports, const struct names *names, bool wanted)
{
    if (!reports)
        return;
    reports->names = names;
    reports->names_wanted = wanted;
}

void reports_use_stored(struct reports *reports)
{
    if (!reports)
        return;
    line_map_free(&reports->lines);
    reports->lines = (struct line_map){.records = 0};
    reports->needs = 0;
    for (size_t i = 0; i < reports->count; i++) {
        reports->list[i].methods =
            report_class_stored(reports->kinds[i], reports->material.settings);
        reports->needs |= reports->list[i].methods->needs;
    }
}

unsigned reports_needs(const struct reports *reports)
{
    return reports ? reports->needs : 0;
}

static enum status note_use_places(const struct reports *reports, struct history *history,
                                   struct failure *why)
{
    if (reports->needs & REPORT_NEEDS_USE_RECORDS)
        return history_keep_use_places(history, USE_PLACE_RECORDS, why);
    if (reports->needs & REPORT_NEEDS_USE_ALLOCATIONS)
        return history_keep_use_places(history, USE_PLACE_ALLOCATIONS, why);
    if (reports->needs & REPORT_NEEDS_USE_THREADS)
        return history_keep_use_places(history, USE_PLACE_THREAD_ALLOCATIONS, why);
    return STATUS_OK;
}

enum status reports_prepare(struct reports *reports, struct history *history, bool is_recorded,
                            const struct spool_place *place, struct failure *why)
{
    enum status status = STATUS_OK;
    if (!reports)
        return STATUS_OK;
    reports->material.is_recorded = is_recorded;
    reports->material.place = place;
    history->wants_causes = reports->needs & REPORT_NEEDS_CAUSES;
    if (reports->needs & REPORT_NEEDS_LIVES)
        status = history_keep_lives(history, is_recorded, why);
    if (status == STATUS_OK && reports->needs & REPORT_NEEDS_REFERENCES)
        status = history_keep_references(history, place, why);
    if (status == STATUS_OK)
        status = note_use_places(reports, history, why);
    if (status == STATUS_OK && reports->needs & REPORT_NEEDS_FIRST_USES)
        status = history_keep_first_uses(history, why);
    if (status == STATUS_OK && reports->needs & REPORT_NEEDS_CONTEXTS)
        status = history_keep_contexts(
            history, (unsigned)reports->material.settings->context_depth, why);
    if (status == STATUS_OK && reports->needs & REPORT_NEEDS_SITES)
        status = history_keep_sites(history, why);
    return status;
}

enum status reports_read(struct reports *reports, const struct batch *batch,
                         struct failure *why)
{
    enum status status = STATUS_OK;
    if (!reports || !(reports->needs & REPORT_NEEDS_EVENTS))
        return STATUS_OK;
    for (size_t i = 0; i < batch->count && status == STATUS_OK; i++)
        if (batch->records[i].kind != RECORD_DEATH)
            status =
                line_map_add(&reports->lines, batch->first_line + batch->records[i].line, why);
    return status;
}

/* What a call of a report, which returned `status`, comes to. */
static enum status report_status(const struct report *report, enum status status)
{
    return status == STATUS_OK && report->methods->is_table ? report->table.status : status;
}

/* Adds the next allocation to the places, if there are any; lives that are stored have been. */
static enum status add_to_places(struct reports *reports, const struct record *record,
                                 struct failure *why)
{
    struct report_material *material = &reports->material;
    if (!material->places || material->stored)
        return STATUS_OK;
    struct places *places = material->places;
    material->life = lives_life(material->lives, places->next);
    material->tallied = places_tallied(places, &material->life, places->next);
    return places_add(places, record, &material->tallied, why);
}

/* The second reading comes to the next allocation. */
static enum status see_allocation(void *context, const struct record *record, uint64_t line,
                                  uint64_t event, struct failure *why)
{
    struct reports *reports = context;
    enum status status = add_to_places(reports, record, why);
    for (size_t i = 0; i < reports->count && status == STATUS_OK; i++) {
        struct report *report = &reports->list[i];
        if (!report->methods->allocated)
            continue;
        report->table.why = why;
        status = report->methods->allocated(report, record, line, event, why);
        status = report_status(report, status);
    }
    return status;
}

/* ... to the next death. */
static enum status see_death(void *context, const struct record *death, node_t node,
                             uint64_t event, struct failure *why)
{
    struct reports *reports = context;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < reports->count && status == STATUS_OK; i++) {
        struct report *report = &reports->list[i];
        if (!report->methods->died)
            continue;
        report->table.why = why;
        status = report->methods->died(report, death, node, event, why);
        status = report_status(report, status);
    }
    return status;
}

/* ... to a boundary. */
static void see_boundary(void *context, const struct record *boundary)
{
    struct reports *reports = context;
    for (size_t i = 0; i < reports->count; i++)
        if (reports->list[i].methods->boundary)
            reports->list[i].methods->boundary(&reports->list[i], boundary);
}

/* Has the second reading watched, as far as the reports need it. */
static void begin_to_observe(struct reports *reports)
{
    bool see_allocations = reports->material.places && !reports->material.stored;
    bool see_deaths = false, see_boundaries = false;
    for (size_t i = 0; i < reports->count; i++) {
        see_allocations |= reports->list[i].methods->allocated != NULL;
        see_deaths |= reports->list[i].methods->died != NULL;
        see_boundaries |= reports->list[i].methods->boundary != NULL;
    }
    if (!see_allocations && !see_deaths)
        return;
    reports->observer = (struct merge_observer){
        .allocated = see_allocation,
        .boundary = see_boundaries ? see_boundary : NULL,
        .died = see_deaths ? see_death : NULL,
        .context = reports,
        .wants_events = reports->needs & REPORT_NEEDS_EVENTS,
        .lines = &reports->lines,
    };
}

/* Releases what nothing looks at any more, unless the reports have one of these needs. */
static void drop_slots_unless(const struct reports *reports, unsigned needs)
{
    if (reports->needs & needs)
        return;
    slots_drop(reports->material.history->heap.slots);
    memory_trim(); /* what the index of objects took, too */
}

static enum status open_lives(struct reports *reports, const struct deaths *deaths,
                              struct failure *why)
{
    struct report_material *material = &reports->material;
    drop_slots_unless(reports, REPORT_NEEDS_CAUSES | REPORT_NEEDS_REFERENCES);
    enum status status =
        deaths ? lives_open(&material->lives, deaths, material->assumptions.at_end, why)
               : lives_open_recorded(&material->lives, material->history, why);
    if (status != STATUS_OK)
        return status;
    lives_set_ids(material->lives, material->ids);
    if (reports->needs & REPORT_NEEDS_CAUSES)
        status = lives_find_causes(material->lives, why);
    drop_slots_unless(reports, REPORT_NEEDS_REFERENCES);
    return status;
}

static enum status open_places(struct report_material *material, struct failure *why)
{
    material->places = calloc(1, sizeof *material->places);
    if (!material->places)
        return fail_memory(why);
    return material->stored
               ? places_init_stored(material->places, material->stored, material->history,
                                    material->assumptions.at_end, material->place, why)
               : places_init(material->places, material->lives, why);
}

/* How many lives there are. */
static uint64_t count_lives(const struct report_material *material)
{
    return material->stored ? stored_lives_summary(material->stored)->lives
                            : lives_count(material->lives);
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

/* Does what reports do beside the second reading. */
static void *do_aside(void *context)
{
    struct reports *reports = context;
    struct reports_aside *aside = &reports->aside;
    for (size_t i = 0; i < reports->count && aside->status == STATUS_OK; i++) {
        struct report *report = &reports->list[i];
        if (!report->methods->aside)
            continue;
        if (report->methods->is_table)
            report->table.why = &aside->why;
        aside->status = report_status(report, report->methods->aside(report, &aside->why));
    }
    return NULL;
}

/* Starts with it, in a thread if there may be another one. */
static void begin_aside(struct reports *reports)
{
    struct reports_aside *aside = &reports->aside;
    aside->is_running = reports->material.history->threads > 1 &&
                        thread_start(&aside->thread, do_aside, reports) == 0;
    if (!aside->is_running)
        do_aside(reports);
}

static void wait_for_aside(struct reports_aside *aside)
{
    if (aside->is_running)
        pthread_join(aside->thread, NULL);
    aside->is_running = false;
}

/* Waits until it is done, and takes its failure over. */
static enum status end_aside(struct reports *reports, struct failure *why)
{
    struct reports_aside *aside = &reports->aside;
    wait_for_aside(aside);
    if (aside->status == STATUS_OK)
        return STATUS_OK;
    *why = aside->why;
    aside->why = (struct failure){.text = NULL};
    return aside->status;
}

static enum status add_stored_to_places(struct report_material *material,
                                        const struct life_facts *life, struct failure *why)
{
    if (!material->places)
        return STATUS_OK;
    material->tallied = places_tallied_stored(material->places, life);
    return places_add_stored(material->places, life, &material->tallied, why);
}

/* A stored life is told. */
static enum status see_life(struct reports *reports, const struct life_facts *life,
                            struct failure *why)
{
    enum status status = add_stored_to_places(&reports->material, life, why);
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
    bool wanted = reports->material.places;
    for (size_t i = 0; i < reports->count; i++)
        wanted |= reports->list[i].methods->ended != NULL;
    return wanted;
}

/* Tells all stored lives, in the order of death. */
static enum status tell_lives(struct reports *reports, struct failure *why)
{
    const struct report_material *material = &reports->material;
    struct life_cursor *cursor = NULL;
    struct life_facts life;
    if (!material->stored || !want_lives(reports))
        return STATUS_OK;
    enum status status = life_cursor_open(&cursor, material->stored, why);
    while (status == STATUS_OK) {
        status = life_cursor_next(cursor, &life, why);
        if (status == STATUS_OK && interrupt_requested(material->history->interrupt))
            status = fail(why, STATUS_INTERRUPTED, "Interrupted");
        if (status == STATUS_OK)
            status = see_life(reports, &life, why);
    }
    life_cursor_close(cursor);
    return status == STATUS_END ? STATUS_OK : status;
}

enum status reports_begin(struct reports *reports, struct history *history,
                          const struct deaths *deaths, const node_t *ids, struct failure *why)
{
    enum status status = STATUS_OK;
    if (!reports)
        return STATUS_OK;
    struct report_material *material = &reports->material;
    bool has_names = reports->names && (reports->names_wanted || names_exist(reports->names));
    material->history = history;
    material->names = has_names ? reports->names : NULL;
    material->ids = ids;
    material->stored = deaths ? deaths->lives : NULL;
    if (reports->needs & REPORT_NEEDS_LIVES && !material->stored)
        status = open_lives(reports, deaths, why);
    if (status == STATUS_OK && reports->needs & REPORT_NEEDS_PLACES)
        status = open_places(material, why);
    for (size_t i = 0; i < reports->count && status == STATUS_OK; i++)
        status = begin_report(&reports->list[i], why);
    begin_to_observe(reports);
    if (status == STATUS_OK)
        status = tell_lives(reports, why);
    if (status == STATUS_OK)
        begin_aside(reports);
    return status;
}

const struct merge_observer *reports_observer(const struct reports *reports)
{
    return reports && reports->observer.allocated ? &reports->observer : NULL;
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

enum status reports_finish(struct reports *reports, struct failure *why)
{
    enum status status = STATUS_OK;
    if (!reports)
        return STATUS_OK;
    if (reports->material.places) {
        contexts_drop_allocations(reports->material.history->contexts);
        status = places_finish(reports->material.places, why);
    }
    if (status == STATUS_OK)
        status = end_aside(reports, why);
    for (size_t i = 0; i < reports->count && status == STATUS_OK; i++)
        status = finish_report(&reports->list[i], why);
    for (size_t i = 0; i < reports->count && status == STATUS_OK; i++)
        if (reports->list[i].sink)
            status = sink_finish(reports->list[i].sink, why);
    return status;
}

void reports_free(struct reports *reports)
{
    if (!reports)
        return;
    wait_for_aside(&reports->aside);
    failure_clear(&reports->aside.why);
    for (size_t i = 0; i < reports->count; i++) {
        struct report *report = &reports->list[i];
        if (report->methods->release)
            report->methods->release(report);
        table_free(&report->table);
    }
    line_map_free(&reports->lines);
    if (reports->material.places)
        places_free(reports->material.places);
    free(reports->material.places);
    lives_close(reports->material.lives);
    free(reports);
}
