#include "report/json.h"
#include "report/stats_print.h"

#include <stdlib.h>

static void put_head(struct json_report *report, const struct stats *stats)
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
    for (size_t i = 0; i < STATS_KINDS; i++) {
        const char key[] = {(char)stats_kinds[i].kind, '\0'};
        uint64_t events = stats_events(stats, stats_kinds[i].kind);
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
    for (size_t i = 0; i < STATS_KINDS; i++) {
        const char key[] = {(char)stats_kinds[i].kind, '\0'};
        if (record_is_allocation(stats_kinds[i].kind))
            put_amount(report, object, key, &stats->allocated[stats_kinds[i].kind]);
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

static void put_peak(struct json_report *report, const struct stats *stats, const char *key,
                     const struct live_point *point)
{
    json_t *object = json_put_object(report, report->root, key);
    json_put_number(report, object, "objects", point->objects);
    json_put_number(report, object, "bytes", point->size);
    json_put_number(report, object, "time", ledger_time(stats->ledger, point->tick));
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

static void put_survivals(struct json_report *report, const struct stats *stats)
{
    json_t *array = json_put_array(report, report->root, "survival");
    for (size_t i = 0; i < STATS_SURVIVALS; i++) {
        const struct stats_survival *survival = &stats->survivals[i];
        json_t *object = json_append_object(report, array);
        json_put_number(report, object, "bytes_allocated", survival->limit);
        put_amount(report, object, "asked", &survival->asked);
        put_amount(report, object, "survived", &survival->survived);
        json_put_share(report, object, "objects_percent", survival->survived.objects,
                       survival->asked.objects);
        json_put_share(report, object, "bytes_percent", survival->survived.bytes,
                       survival->asked.bytes);
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
        const struct stats_groups *class = &stats->groups[i];
        uint64_t most = UINT64_C(1) << i;
        if (class->groups == 0)
            continue;
        json_t *object = json_append_object(report, array);
        json_put_number(report, object, "from", i == 0 ? 1 : most / 2 + 1);
        json_put_number(report, object, "to", most);
        json_put_number(report, object, "groups", class->groups);
        json_put_number(report, object, "objects", class->amount.objects);
        json_put_number(report, object, "bytes", class->amount.bytes);
        if (i == 0)
            json_put_null(report, object, "cyclic");
        else
            json_put_number(report, object, "cyclic", class->cyclic);
    }
}

static void put_name(struct json_report *report, json_t *object, const char *key,
                     const char *name)
{
    if (name)
        json_put_text(report, object, key, name);
    else
        json_put_null(report, object, key);
}

static void put_tally(struct json_report *report, json_t *array, const struct tally *tally,
                      const struct names *names, enum name_space space)
{
    json_t *object = json_append_object(report, array);
    json_put_number(report, object, "id", tally->id);
    put_name(report, object, "name", names_find(names, space, tally->id));
    if (space == NAMES_SITE && tally->has_types) {
        json_put_null(report, object, "type");
    } else if (space == NAMES_SITE) {
        json_put_number(report, object, "type", tally->type);
        put_name(report, object, "type_name", names_find(names, NAMES_TYPE, tally->type));
    }
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
}

static void put_rankings(struct json_report *report, struct print *print, const char *key,
                         const struct tallies *tallies, const struct names *names,
                         enum name_space space, size_t top)
{
    static const char *const keys[RANKINGS] = {"by_objects", "by_bytes", "by_mean_lifetime",
                                               "by_live_at_peak"};
    json_t *object = json_put_object(report, report->root, key);
    json_put_number(report, object, "count", tallies->count);
    for (unsigned i = 0; i < RANKINGS && print->status == STATUS_OK; i++) {
        json_t *array = json_put_array(report, object, keys[i]);
        const struct tally **ranked;
        size_t count;
        print->status =
            tallies_rank(tallies, (enum ranking)i, top, &ranked, &count, print->why);
        if (print->status != STATUS_OK)
            return;
        for (size_t j = 0; j < count; j++)
            put_tally(report, array, ranked[j], names, space);
        free(ranked);
    }
}

void stats_print_json(struct print *print, const struct stats *stats, const struct names *names,
                      size_t top)
{
    struct json_report report;
    json_report_begin(&report);
    put_head(&report, stats);
    put_events(&report, stats);
    put_amounts(&report, stats);
    put_peak(&report, stats, "most_objects", &stats->most_objects);
    put_peak(&report, stats, "most_bytes", &stats->most_bytes);
    put_distribution(&report, "lifetime_ticks", &stats->ticks);
    put_distribution(&report, "lifetime_bytes", &stats->bytes);
    if (stats_has_uses(stats))
        put_distribution(&report, "drag_ticks", &stats->drag);
    else
        json_put_null(&report, report.root, "drag_ticks");
    put_survivals(&report, stats);
    put_causes(&report, stats);
    put_groups(&report, stats);
    put_rankings(&report, print, "types", &stats->types, names, NAMES_TYPE, top);
    put_rankings(&report, print, "sites", &stats->sites, names, NAMES_SITE, top);
    json_report_end(&report, print);
}
