/* SPDX-License-Identifier: MIT */
/* The comparison as JSON: the figures of compare_text.c under names that stay the same from
 * version to version, for programs. */
#include "report/compare/compare_print.h"
#include "report/json.h"

static void put_number_or_null(struct json_report *report, json_t *object, const char *key,
                               bool is_there, uint64_t number)
{
    if (is_there)
        json_put_number(report, object, key, number);
    else
        json_put_null(report, object, key);
}

static void put_assumptions(struct json_report *report, const struct comparison *comparison,
                            const struct assumptions *assumptions)
{
    bool explicit_time = comparison->deaths->history->explicit_time;
    json_t *object = json_put_object(report, report->root, "assumptions");
    json_put_text(report, object, "held_by", assumptions_held_by(assumptions));
    json_put_text(report, object, "unallocated", assumptions_unallocated(assumptions));
    json_put_text(report, object, "at_end", assumptions_at_end(assumptions));
    json_put_text(report, object, "dialect", explicit_time ? "time" : "thread");
}

static json_t *put_count(struct json_report *report, json_t *parent, const char *key,
                         uint64_t count, uint64_t whole)
{
    json_t *object = json_put_object(report, parent, key);
    json_put_number(report, object, "count", count);
    json_put_share(report, object, "percent", count, whole);
    return object;
}

static void put_distances(struct json_report *report, json_t *parent,
                          const struct compare_distances *described)
{
    const struct distribution *distances = &described->distribution;
    if (distances->count == 0) {
        json_put_null(report, parent, "distance");
        return;
    }
    json_t *object = json_put_object(report, parent, "distance");
    json_put_number(report, object, "min", distances->min);
    json_put_number(report, object, "median", distances->median);
    json_put_number(report, object, "p90", distances->p90);
    json_put_number(report, object, "max", distances->max);
    json_put_decimal(report, object, "mean", distances->mean, distances->mean_hundredths);
    json_t *ranges = json_put_object(report, object, "ranges");
    for (enum compare_range range = 0; range < RANGE_COUNT; range++)
        json_put_number(report, ranges, compare_range_name(range), described->ranges[range]);
}

static void compare_json_put_classes(struct json_report *report,
                                     const struct compare_figures *figures)
{
    uint64_t all = figures->allocations;
    json_t *classes = json_put_object(report, report->root, "classes");
    for (enum compare_class verdict = 0; verdict < CLASS_COUNT; verdict++) {
        json_t *object = put_count(report, classes, compare_class_name(verdict),
                                   figures->classes[verdict], all);
        if (verdict == CLASS_SAME)
            json_put_number(report, object, "alive", figures->same_alive);
        if (verdict == CLASS_EARLY || verdict == CLASS_EXTRA)
            json_put_number(report, object, "impossible", figures->impossible[verdict]);
        if (verdict == CLASS_EARLY)
            put_distances(report, object, &figures->early);
        if (verdict == CLASS_LATE)
            put_distances(report, object, &figures->late);
    }
}

static void compare_json_put_figures(struct json_report *report,
                                     const struct compare_figures *figures)
{
    json_put_bool(report, report->root, "agrees", compare_agrees(figures));
    json_put_number(report, report->root, "allocations", figures->allocations);
    compare_json_put_classes(report, figures);
    put_distances(report, report->root, &figures->all);
    json_put_number(report, report->root, "recorded_deaths", figures->deaths);
    put_count(report, report->root, "unknown", figures->unknown, figures->deaths);
    put_count(report, report->root, "repeated", figures->repeated, figures->deaths);
}

static void compare_json_put_row(struct json_report *report, json_t *array,
                                 const struct compare_row *row)
{
    json_t *object = json_append_object(report, array);
    json_put_number(report, object, "line", row->line);
    put_number_or_null(report, object, "recorded_line", row->recorded_line > 0,
                       row->recorded_line);
    json_put_number(report, object, "object", row->object);
    json_put_number(report, object, "thread", row->thread);
    json_put_number(report, object, "allocated", row->allocated);
    put_number_or_null(report, object, "computed", row->is_dead, row->computed);
    put_number_or_null(report, object, "recorded", row->recorded_line > 0, row->recorded);
    json_put_text(report, object, "class", compare_class_name(row->verdict));
    put_number_or_null(report, object, "used_line", row->used_line > 0, row->used_line);
}

static void put_differences(struct json_report *report, const struct comparison *comparison,
                            uint64_t show)
{
    const struct compare_figures *figures = &comparison->figures;
    uint64_t differing = figures->allocations - figures->classes[CLASS_SAME];
    json_t *array = json_put_array(report, report->root, "differences");
    for (size_t i = 0; show > 0 && differing > 0; i++) {
        struct compare_row row = compare_row(comparison, i);
        if (row.verdict == CLASS_SAME)
            continue;
        compare_json_put_row(report, array, &row);
        show--;
        differing--;
    }
}

static void put_leftovers(struct json_report *report, const struct comparison *comparison,
                          uint64_t show)
{
    const struct alignment *alignment = comparison->alignment;
    json_t *array = json_put_array(report, report->root, "leftover_deaths");
    for (size_t i = 0; show > 0 && i < alignment->recorded->death_count; i++) {
        enum death_fate fate = comparison->pairing.fates[i];
        if (fate == DEATH_PAIRED)
            continue;
        const struct recorded_death *death = &alignment->recorded->deaths[i];
        json_t *object = json_append_object(report, array);
        json_put_number(report, object, "recorded_line", death->line);
        json_put_number(report, object, "object", death->object);
        json_put_number(report, object, "recorded", alignment_shown_time(alignment, death));
        json_put_text(report, object, "class", compare_fate_name(fate));
        show--;
    }
}

void compare_put_alignment(struct json_report *report, const struct alignment *alignment)
{
    char reason[120];
    compare_by_reason(alignment, reason, sizeof reason);
    json_put_text(report, report->root, "trace", alignment->trace->name);
    json_put_text(report, report->root, "recorded", alignment->recorded->name);
    json_put_text(report, report->root, "compared_by", compare_by_name(alignment));
    json_put_text(report, report->root, "reason", reason);
}

void compare_print_json(struct print *print, const struct comparison *comparison,
                        const struct assumptions *assumptions, uint64_t show)
{
    const struct alignment *alignment = comparison->alignment;
    struct json_report report;
    json_report_start(&report, "compare-1");
    compare_put_alignment(&report, alignment);
    put_assumptions(&report, comparison, assumptions);
    compare_json_put_figures(&report, &comparison->figures);
    put_differences(&report, comparison, show);
    put_leftovers(&report, comparison, show);
    json_report_end(&report, print);
}
