/* SPDX-License-Identifier: MIT */
/* The statistics as JSON: the figures of stats_text.c, whole and not rounded, for programs that
 * compute with them. */
#include "report/json.h"
#include "report/lives/place_name.h"
#include "report/lives/ranked_places.h"
#include "report/lives/stats_print.h"

#include <stdlib.h>

static void stats_json_put_head(struct json_report *report, const struct stats *stats)
{
    const struct assumptions *assumptions = stats->assumptions;
    json_put_text(report, report->root, "trace", stats->name);
    json_put_text(report, report->root, "dialect",
                  stats->history->explicit_time ? "time" : "thread");
    json_put_text(report, report->root, "deaths", assumptions ? "computed" : "recorded");
    if (!assumptions)
        return;
    json_put_text(report, report->root, "held_by", assumptions_held_by(assumptions));
    json_put_text(report, report->root, "unallocated", assumptions_unallocated(assumptions));
    json_put_text(report, report->root, "at_end", assumptions_at_end(assumptions));
}

static void put_events(struct json_report *report, const struct stats *stats)
{
    json_t *object = json_put_object(report, report->root, "events");
    uint64_t all = 0;
    for (size_t i = 0; i < record_layout_count; i++) {
        const char key[] = {(char)record_layouts[i].kind, '\0'};
        uint64_t events = stats_events(stats, record_layouts[i].kind);
        all += events;
        json_put_number(report, object, key, events);
    }
    json_put_number(report, object, "all", all);
    if (stats->history->explicit_time)
        json_put_null(report, report->root, "threads");
    else
        json_put_number(report, report->root, "threads",
                        frames_thread_count(stats->history->heap.frames));
}

static json_t *put_amount(struct json_report *report, json_t *object, const char *key,
                          const struct stats_amount *amount)
{
    json_t *inner = json_put_object(report, object, key);
    json_put_number(report, inner, "objects", amount->objects);
    json_put_number(report, inner, "bytes", amount->bytes);
    return inner;
}

static void put_amounts(struct json_report *report, const struct stats *stats)
{
    struct stats_amount all = stats_allocated(stats);
    json_t *object = put_amount(report, report->root, "allocated", &all);
    for (size_t i = 0; i < record_layout_count; i++) {
        const char key[] = {(char)record_layouts[i].kind, '\0'};
        if (record_is_allocation(record_layouts[i].kind))
            put_amount(report, object, key, &stats->allocated[record_layouts[i].kind]);
    }
    put_amount(report, report->root, "died", &stats->died);
    put_amount(report, report->root, "alive", &stats->alive);
    if (!stats_has_uses(stats)) {
        json_put_null(report, report->root, "used_once");
        return;
    }
    object = put_amount(report, report->root, "used_once", &stats->used_once);
    json_put_share(report, object, "objects_percent", stats->used_once.objects, all.objects);
}

static void put_peak(struct json_report *report, const char *key,
                     const struct live_point *point)
{
    json_t *object = json_put_object(report, report->root, key);
    json_put_number(report, object, "objects", point->objects);
    json_put_number(report, object, "bytes", point->size);
    json_put_number(report, object, "time", point->time);
    json_put_number(report, object, "bytes_allocated", point->bytes);
}

static void put_distribution(struct json_report *report, const char *key,
                             const struct distribution *distribution)
{
    if (distribution->count == 0) {
        json_put_null(report, report->root, key);
        return;
    }
    json_t *object = json_put_object(report, report->root, key);
    json_put_decimal(report, object, "average", distribution->mean,
                     distribution->mean_hundredths);
    json_put_number(report, object, "median", distribution->median);
    json_put_number(report, object, "p90", distribution->p90);
    json_put_number(report, object, "p99", distribution->p99);
    json_put_number(report, object, "max", distribution->max);
}

static void put_died_before_use(struct json_report *report, const struct stats *stats)
{
    const struct stats_amount *amount = &stats->died_before_use;
    json_t *object = put_amount(report, report->root, "died_before_use", amount);
    json_t *named = json_put_array(report, object, "first");
    for (size_t i = 0; i < amount->objects && i < STATS_NAMED; i++)
        json_append_number(report, named, stats->named[i]);
}

static void put_survivals(struct json_report *report, const struct stats *stats)
{
    json_t *array = json_put_array(report, report->root, "survival");
    for (size_t i = 0; i < STATS_SURVIVALS; i++) {
        const struct stats_survival *survival = &stats->survivals[i];
        json_t *object = json_append_object(report, array);
        json_put_number(report, object, "bytes_allocated", survival->limit);
        put_amount(report, object, "eligible", &survival->eligible);
        put_amount(report, object, "survived", &survival->survived);
        json_put_share(report, object, "objects_percent", survival->survived.objects,
                       survival->eligible.objects);
        json_put_share(report, object, "bytes_percent", survival->survived.bytes,
                       survival->eligible.bytes);
    }
}

static void put_causes(struct json_report *report, const struct stats *stats)
{
    if (!stats->assumptions) {
        json_put_null(report, report->root, "causes");
        return;
    }
    json_t *object = json_put_object(report, report->root, "causes");
    for (unsigned cause = 0; cause < CAUSE_COUNT; cause++)
        put_amount(report, object, cause_name((enum cause)cause), &stats->causes[cause]);
}

static void put_groups(struct json_report *report, const struct stats *stats)
{
    if (!stats->assumptions) {
        json_put_null(report, report->root, "groups");
        return;
    }
    json_t *array = json_put_array(report, report->root, "groups");
    for (unsigned i = 0; i < STATS_GROUP_CLASSES; i++) {
        const struct stats_groups *size_class = &stats->groups[i];
        uint64_t most = UINT64_C(1) << i;
        if (size_class->groups == 0)
            continue;
        json_t *object = json_append_object(report, array);
        json_put_number(report, object, "from", i == 0 ? 1 : most / 2 + 1);
        json_put_number(report, object, "to", most);
        json_put_number(report, object, "groups", size_class->groups);
        json_put_number(report, object, "objects", size_class->amount.objects);
        json_put_number(report, object, "bytes", size_class->amount.bytes);
        if (i == 0)
            json_put_null(report, object, "cyclic");
        else
            json_put_number(report, object, "cyclic", size_class->cyclic);
    }
}

static void stats_json_put_name(struct json_report *report, json_t *object, const char *key,
                                const char *name)
{
    if (name)
        json_put_text(report, object, key, name);
    else
        json_put_null(report, object, key);
}

static void json_put_method(struct json_report *report, const uint64_t *method,
                            const struct names *names)
{
    json_t *object = report->root;
    if (!method) {
        json_put_null(report, object, "method");
        json_put_text(report, object, "method_name", "(none)");
        return;
    }
    json_put_number(report, object, "method", *method);
    stats_json_put_name(report, object, "method_name",
                        names_find(names, NAMES_METHOD, *method));
}

/* What tells the place of a tally. */
static void put_place(struct json_report *report, const struct tally *tally,
                      const struct ranked_places *places)
{
    json_t *object = report->root;
    if (places->contexts) {
        json_put_number(report, object, "context", tally->context);
        struct place_name name = {.text = NULL};
        const char *text =
            place_name_of_context(&name, places->contexts, tally->context, places->names);
        stats_json_put_name(report, object, "frames", text);
        report->incomplete |= !text;
        free(name.text);
    }
    json_put_method(report, tally->has_method ? &tally->method : NULL, places->names);
    json_put_number(report, object, "type", tally->type);
    stats_json_put_name(report, object, "type_name",
                        names_find(places->names, NAMES_TYPE, tally->type));
    if (tally->has_sites)
        json_put_null(report, object, "site");
    else
        json_put_number(report, object, "site", tally->site);
}

static void put_dispersion(struct json_report *report, const struct dispersion *dispersion,
                           uint64_t deaths)
{
    if (deaths > 0)
        json_put_number(report, report->root, "median_lifetime", dispersion->median);
    else
        json_put_null(report, report->root, "median_lifetime");
    json_put_ten_thousandths(report, report->root, "gini_bytes",
                             gini_coefficient(&dispersion->by_bytes));
    json_put_ten_thousandths(report, report->root, "gini_objects",
                             gini_coefficient(&dispersion->by_objects));
}

/* The name of a site, and the method that allocates most there. */
static void json_put_site(struct json_report *report, uint64_t site,
                          const struct ranked_places *places)
{
    const struct history *history = places->history;
    struct place_name name = {.text = NULL};
    const char *text;
    report->incomplete |= !place_name_of_site(&name, history, site, places->names, &text);
    stats_json_put_name(report, report->root, "name", text);
    free(name.text);
    struct site_method method = site_methods_find(history->sites, site);
    uint64_t id = method.number ? contexts_numbered(history->contexts, method.number) : 0;
    json_put_method(report, method.number ? &id : NULL, places->names);
    json_put_bool(report, report->root, "several_methods", method.is_one_of_several);
}

static void json_put_id(struct json_report *report, const struct tally *tally,
                        const struct ranked_places *places)
{
    json_t *object = report->root;
    const struct names *names = places->names;
    json_put_number(report, object, "id", tally->id);
    if (places->space != NAMES_SITE) {
        stats_json_put_name(report, object, "name",
                            names_find(names, places->space, tally->id));
        return;
    }
    json_put_site(report, tally->id, places);
    if (tally->has_types) {
        json_put_null(report, object, "type");
        return;
    }
    json_put_number(report, object, "type", tally->type);
    stats_json_put_name(report, object, "type_name",
                        names_find(names, NAMES_TYPE, tally->type));
}

static void put_tally(struct json_report *report, const struct tally *tally,
                      const struct ranked_places *places)
{
    json_t *object = report->root;
    if (places->is_of_ids)
        json_put_id(report, tally, places);
    else
        put_place(report, tally, places);
    json_put_number(report, object, "objects", tally->objects);
    json_put_number(report, object, "bytes", tally->bytes);
    json_put_number(report, object, "died", tally->deaths);
    if (tally->deaths == 0) {
        json_put_null(report, object, "mean_lifetime");
    } else {
        wide_sum mean = figures_mean(tally->lifetime, tally->deaths);
        json_put_decimal(report, object, "mean_lifetime", (uint64_t)(mean / 100),
                         (unsigned)(mean % 100));
    }
    json_put_number(report, object, "live_at_peak", tally->live);
    if (places->has_uses)
        json_put_wide(report, object, "drag", tally->drag);
    else
        json_put_null(report, object, "drag");
    json_put_number(report, object, "immortal_objects", tally->immortals);
    json_put_number(report, object, "immortal_bytes", tally->immortal_bytes);
    if (places->dispersions)
        put_dispersion(report, &places->dispersions[tally - places->tallies->items],
                       tally->deaths);
}

static void print_ranking_json(struct print *print, const struct ranked_places *places,
                               enum ranking ranking, const struct ranking_choice *choice)
{
    enum { DEPTH = 3 };
    const struct tally **ranked;
    size_t count;
    print->status = tallies_rank(places->tallies, ranking, choice, &ranked, &count, print->why);
    if (print->status != STATUS_OK)
        return;
    for (size_t i = 0; i < count && print->status == STATUS_OK; i++) {
        struct json_report item;
        json_report_begin(&item);
        put_tally(&item, ranked[i], places);
        json_print_item(&item, print, DEPTH, i == 0);
    }
    free(ranked);
    print_text(print, count > 0 ? "\n    ]" : "]");
}

/* Rankings can have a row for each site: they are printed row by row. */
static void print_rankings(struct print *print, const char *key,
                           const struct ranked_places *places,
                           const struct ranking_choice *choice)
{
    static const char *const keys[RANKINGS] = {"by_objects", "by_bytes", "by_drag",
                                               "by_mean_lifetime", "by_live_at_peak"};
    print_text(print, ",\n  \"%s\": {\n    \"count\": %zu", key, places->tallies->count);
    for (unsigned i = 0; i < RANKINGS && print->status == STATUS_OK; i++) {
        print_text(print, ",\n    \"%s\": [", keys[i]);
        if (print->status == STATUS_OK)
            print_ranking_json(print, places, (enum ranking)i, choice);
    }
    print_text(print, "\n  }");
}

static void put_phases_of(struct json_report *report, json_t *object, const char *key,
                          const struct stats_phases *phases)
{
    json_t *inner = json_put_object(report, object, key);
    json_put_wide(report, inner, "lag", phases->lag);
    json_put_wide(report, inner, "use", phases->use);
    json_put_wide(report, inner, "drag", phases->drag);
    json_put_wide(report, inner, "void", phases->voids);
}

static void put_phases(struct json_report *report, const struct stats *stats)
{
    if (!stats_has_uses(stats)) {
        json_put_null(report, report->root, "phases");
        return;
    }
    json_t *object = json_put_object(report, report->root, "phases");
    put_phases_of(report, object, "died", &stats->phases[0]);
    put_phases_of(report, object, "alive", &stats->phases[1]);
}

static void put_gini(struct json_report *report, const struct stats *stats)
{
    json_t *object = json_put_object(report, report->root, "gini");
    json_put_ten_thousandths(report, object, "bytes",
                             gini_coefficient(&stats->places->all.by_bytes));
    json_put_ten_thousandths(report, object, "objects",
                             gini_coefficient(&stats->places->all.by_objects));
}

static void print_places(struct print *print, const struct stats *stats,
                         const struct names *names, const struct ranking_choice *choice)
{
    struct ranked_places types = ranked_types(stats, names), sites = ranked_sites(stats, names);
    struct ranked_places methods = ranked_methods(stats, names);
    struct ranked_places contexts = ranked_contexts(stats, names);
    print_rankings(print, "types", &types, choice);
    print_rankings(print, "sites", &sites, choice);
    print_rankings(print, "methods", &methods, choice);
    print_rankings(print, "contexts", &contexts, choice);
}

void stats_print_json(struct print *print, const struct stats *stats, const struct names *names,
                      const struct ranking_choice *choice)
{
    struct json_report report;
    json_report_start(&report, "stats-1");
    stats_json_put_head(&report, stats);
    put_events(&report, stats);
    put_amounts(&report, stats);
    put_peak(&report, "most_objects", &stats->places->peaks.most_objects);
    put_peak(&report, "most_bytes", &stats->places->peaks.most_bytes);
    put_distribution(&report, "lifetime_ticks", &stats->ticks);
    put_distribution(&report, "lifetime_bytes", &stats->bytes);
    if (stats_has_uses(stats)) {
        put_distribution(&report, "drag_ticks", &stats->drag);
        put_died_before_use(&report, stats);
    } else {
        json_put_null(&report, report.root, "drag_ticks");
        json_put_null(&report, report.root, "died_before_use");
    }
    put_survivals(&report, stats);
    put_causes(&report, stats);
    put_groups(&report, stats);
    put_phases(&report, stats);
    put_gini(&report, stats);
    json_report_open(&report, print);
    print_places(print, stats, names, choice);
    json_report_close(print);
}
