/* SPDX-License-Identifier: MIT */
/* The comparison as a document: how the deaths were aligned, the verdict, the figures, and
 * examples with their lines, so that a difference can be looked up in the trace. With
 * --compare-all a row for each set of assumptions. */
#include "report/compare/compare.h"

#include <inttypes.h>
#include <stdio.h>

enum { LABELS = 19, COUNTS = 13, CELLS = 16 };

static const char *by_of(const struct alignment *alignment)
{
    return alignment->by == COMPARE_BY_TIME ? "time" : "position";
}

/* Writes why deaths are compared by that to `out`, which has COMPOSED_SIZE bytes. */
static const char *reason_of(char *out, const struct alignment *alignment)
{
    if (alignment->requested != COMPARE_BY_AUTO)
        return "as --compare-by says";
    if (alignment->recorded->death_count == 0)
        return "there are no recorded deaths";
    if (alignment->misfit_line == 0)
        return "all recorded times are of the trace's clock";
    snprintf(out, COMPOSED_SIZE,
             "the recorded time in line %" PRIu64 " is not of the trace's clock",
             alignment->misfit_line);
    return out;
}

static void put_alignment(struct form *form, const struct alignment *alignment)
{
    const struct recording *recorded = alignment->recorded;
    const char *unfinished = recorded == alignment->trace ? NULL : recorded->unfinished;
    const char *by = by_of(alignment);
    char room[COMPOSED_SIZE], compared[COMPOSED_SIZE];
    const char *reason = reason_of(room, alignment);
    snprintf(compared, sizeof compared, "by %s: %.120s", by, reason);
    form_head(form, "");
    form_line(form, "recorded", "recorded", "name", value_text(recorded->name));
    form_line(form, "recorded_unfinished", "unfinished", "text", value_text(unfinished));
    form_put(form, "compared_by", "word", value_text(by));
    form_put(form, "reason", "text", value_text(reason));
    form_line(form, NULL, "compared", "text", value_text(compared));
}

/* A class of allocations, and how many of them are something else, too, in text alone. */
static const struct shown_class {
    const char *key, *remark;
    const char *part, *part_remark; /* NULL: no part is shown */
} shown_classes[CLASS_COUNT] = {
    [CLASS_SAME] = {"same", "", "  alive", "no death in either"},
    [CLASS_EARLY] = {"early", "recorded before computed", "  impossible",
                     "used after the recorded death"},
    [CLASS_LATE] = {"late", "recorded after computed", NULL, NULL},
    [CLASS_MISSING] = {"missing", "computed, not recorded", NULL, NULL},
    [CLASS_EXTRA] = {"extra", "recorded, computed alive at the end", "  impossible",
                     "used after the recorded death"},
};

/* Puts a number of allocations, and its share of all. */
static void put_count(struct form *form, const char *unit, uint64_t count, uint64_t all)
{
    form_cell(form, "count", "", 13, unit, value_number(count));
    form_cell(form, "percent", "", 8, "percent", value_share(count, all));
}

static void put_class(struct form *form, enum compare_class number,
                      const struct compare_figures *figures)
{
    const struct shown_class *shown = &shown_classes[number];
    uint64_t alive = number == CLASS_SAME ? figures->same_alive : 0;
    uint64_t impossible = figures->impossible[number];
    form_row(form, shown->key, shown->key);
    form_remark(form, shown->remark);
    put_count(form, "allocations", figures->classes[number], figures->allocations);
    form_put(form, "alive", "allocations", value_number(alive));
    form_put(form, "impossible", "allocations", value_number(impossible));
    if (!shown->part)
        return;
    form_row(form, NULL, shown->part);
    form_remark(form, shown->part_remark);
    put_count(form, "allocations", number == CLASS_SAME ? alive : impossible,
              figures->allocations);
}

static void put_classes(struct form *form, const struct compare_figures *figures)
{
    form_lines(form, "", "allocations", LABELS, COUNTS);
    form_line(form, "allocations", "all", "allocations", value_number(figures->allocations));
    form_rows(form, "classes", NULL, LABELS);
    for (unsigned i = 0; i < CLASS_COUNT; i++)
        put_class(form, (enum compare_class)i, figures);
}

static void put_deaths(struct form *form, const struct compare_figures *figures)
{
    form_lines(form, "", "recorded deaths", LABELS, COUNTS);
    form_line(form, "recorded_deaths", "all", "deaths", value_number(figures->deaths));
    form_rows(form, "", NULL, LABELS);
    form_row(form, "unknown", "unknown");
    form_remark(form, "of objects not allocated");
    put_count(form, "deaths", figures->unknown, figures->deaths);
    form_row(form, "repeated", "repeated");
    form_remark(form, "of objects that had one");
    put_count(form, "deaths", figures->repeated, figures->deaths);
}

static void put_distance(struct form *form, const char *key, const char *label,
                         const struct compare_distances *distances)
{
    form_row_if(form, distances->distribution.count > 0, key, label);
    distribution_put(form, &distances->distribution, "ticks");
}

static void put_ranges(struct form *form, const char *key, const char *label,
                       const struct compare_distances *distances)
{
    const uint64_t *ranges = distances->ranges;
    form_row_if(form, distances->distribution.count > 0, key, label);
    form_line(form, "1", "of 1", "allocations", value_number(ranges[RANGE_1]));
    form_line(form, "2-3", "of 2 to 3", "allocations", value_number(ranges[RANGE_2_TO_3]));
    form_line(form, "4-10", "of 4 to 10", "allocations", value_number(ranges[RANGE_4_TO_10]));
    form_line(form, ">10", "of more than 10", "allocations",
              value_number(ranges[RANGE_ABOVE_10]));
}

static void put_distances(struct form *form, const struct compare_figures *figures)
{
    form_upright(form, "distance", "distance in ticks", LABELS, CELLS);
    put_distance(form, "early", "early", &figures->early);
    put_distance(form, "late", "late", &figures->late);
    put_distance(form, "all", "all (same: 0)", &figures->all);
    form_upright(form, "ranges", NULL, LABELS, CELLS);
    put_ranges(form, "early", "early", &figures->early);
    put_ranges(form, "late", "late", &figures->late);
    put_ranges(form, "all", "all (same: 0)", &figures->all);
}

/* Finds the next differing allocation from number *at on, which becomes the one after it. */
static struct compare_row next_difference(const struct comparison *comparison, size_t *at)
{
    struct compare_row row;
    do
        row = compare_row(comparison, (*at)++);
    while (row.verdict == CLASS_SAME);
    return row;
}

static void put_difference(struct form *form, const struct compare_row *row)
{
    bool is_recorded = row->recorded_line > 0, is_used = row->used_line > 0;
    const char *word = shown_classes[row->verdict].key;
    form_item(form);
    form_cell(form, "line", "N in line", 9, "line", value_number(row->line));
    form_cell(form, "recorded_line", "D in line", 9, "line",
              value_number_if(is_recorded, row->recorded_line));
    form_cell(form, "object", "object", 11, "id", value_number(row->object));
    form_put(form, "thread", "id", value_number(row->thread));
    form_put(form, "allocated", "time", value_number(row->allocated));
    form_cell(form, "computed", "computed", 10, "time",
              value_number_if(row->is_dead, row->computed));
    form_cell(form, "recorded", "recorded", 10, "time",
              value_number_if(is_recorded, row->recorded));
    form_put(form, "class", "word", value_text(word));
    form_cell(form, "used_line", "used in line", 12, "line",
              value_number_if(is_used, row->used_line));
    form_cell(form, NULL, "class", 0, "word", value_text(word));
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void put_differences(struct form *form, const struct comparison *comparison,
                            uint64_t show)
{
    const struct compare_figures *figures = &comparison->figures;
    uint64_t total = figures->allocations - figures->classes[CLASS_SAME];
    uint64_t most = smaller(show, total);
    struct compare_row row = {.line = 0};
    size_t at = 0;
    form_list_of(form, "differences", "differing allocations", show, total);
    for (uint64_t i = 0; form_next(form, i, most); i++) {
        if (i < most)
            row = next_difference(comparison, &at);
        put_difference(form, &row);
    }
}

/* Finds the next recorded death of no allocation, as next_difference does. */
static const struct recorded_death *next_leftover(const struct comparison *comparison,
                                                  size_t *at)
{
    while (comparison->pairing.fates[*at] == DEATH_PAIRED)
        ++*at;
    return &comparison->alignment->recorded->deaths[(*at)++];
}

static void put_leftovers(struct form *form, const struct comparison *comparison, uint64_t show)
{
    const struct compare_figures *figures = &comparison->figures;
    uint64_t total = figures->unknown + figures->repeated, most = smaller(show, total);
    static const struct recorded_death none;
    size_t at = 0;
    form_list_of(form, "leftover_deaths", "recorded deaths that belong to no allocation", show,
                 total);
    for (uint64_t i = 0; form_next(form, i, most); i++) {
        const struct recorded_death *death = i < most ? next_leftover(comparison, &at) : &none;
        bool is_unknown = i < most && comparison->pairing.fates[at - 1] == DEATH_UNKNOWN;
        form_item(form);
        form_cell(form, "recorded_line", "D in line", 19, "line", value_number(death->line));
        form_cell(form, "object", "object", 11, "id", value_number(death->object));
        form_cell(form, "recorded", "recorded", 21, "time",
                  value_number(alignment_shown_time(comparison->alignment, death)));
        form_cell(form, "class", "class", 0, "word",
                  value_text(is_unknown ? "unknown" : "repeated"));
    }
}

/* Prints a table with a row for each allocation. */
static void print_table(struct print *print, const struct comparison *comparison)
{
    uint64_t count = comparison->figures.allocations;
    struct compare_row row = {.line = 0};
    struct form *form = form_begin_table(print);
    if (!form)
        return;
    form_list(form, "", NULL, 0);
    for (uint64_t i = 0; form_next(form, i, count); i++) {
        if (i < count)
            row = compare_row(comparison, (size_t)i);
        form_item(form);
        form_put(form, "line", "line", value_number(row.line));
        form_put(form, "object", "id", value_number(row.object));
        form_put(form, "thread", "id", value_number(row.thread));
        form_put(form, "allocated", "time", value_number(row.allocated));
        form_put(form, "computed", "time", value_number_if(row.is_dead, row.computed));
        form_put(form, "recorded", "time",
                 value_number_if(row.recorded_line > 0, row.recorded));
        form_put(form, "class", "word",
                 value_text(row.used_line > 0 ? "impossible" : shown_classes[row.verdict].key));
    }
    form_finish(form);
}

void compare_print(struct print *print, enum report_format format,
                   const struct comparison *comparison, const struct trace_origin *origin,
                   uint64_t show)
{
    const struct compare_figures *figures = &comparison->figures;
    if (format == FORMAT_TSV) {
        print_table(print, comparison);
        return;
    }
    struct form *form = form_begin(print, format, "compare-2");
    if (!form)
        return;
    origin_put(form, origin);
    put_alignment(form, comparison->alignment);
    assumptions_put(form, origin->assumptions);
    form_head(form, "");
    form_line(form, "agrees", "agrees", "flag", value_flag(compare_agrees(figures)));
    put_classes(form, figures);
    put_deaths(form, figures);
    put_distances(form, figures);
    put_differences(form, comparison, show);
    put_leftovers(form, comparison, show);
    form_finish(form);
}

/* Puts a set of assumptions, and how the deaths under them agree. */
static void put_agreement(struct form *form, const struct agreement *agreement)
{
    const struct assumptions *assumptions = &agreement->assumptions;
    const struct compare_figures *figures = &agreement->figures;
    const uint64_t *classes = figures->classes, *impossible = figures->impossible;
    form_item(form);
    form_cell(form, "assumptions.held_by", "held-by", 8, "word",
              value_text(held_by_words[assumptions->held_by]));
    form_cell(form, "assumptions.unallocated", "unallocated", 11, "word",
              value_text(unallocated_words[assumptions->unallocated]));
    form_cell(form, "assumptions.at_end", "at-end", 6, "word",
              value_text(at_end_words[assumptions->at_end]));
    form_put(form, "agrees", "flag", value_flag(compare_agrees(figures)));
    form_cell(form, "percent", "same", 7, "percent",
              value_share(classes[CLASS_SAME], figures->allocations));
    form_put(form, "same", "allocations", value_number(classes[CLASS_SAME]));
    form_cell(form, "early", "early", 8, "allocations", value_number(classes[CLASS_EARLY]));
    form_cell(form, "late", "late", 8, "allocations", value_number(classes[CLASS_LATE]));
    form_cell(form, "missing", "missing", 8, "allocations",
              value_number(classes[CLASS_MISSING]));
    form_cell(form, "extra", "extra", 8, "allocations", value_number(classes[CLASS_EXTRA]));
    form_cell(form, "impossible", "imposs.", 7, "allocations",
              value_number((wide_sum)impossible[CLASS_EARLY] + impossible[CLASS_EXTRA]));
    form_put(form, "unknown", "deaths", value_number(figures->unknown));
    form_put(form, "repeated", "deaths", value_number(figures->repeated));
}

static void put_agreements(struct form *form, const struct agreement *all, size_t count)
{
    form_list(form, "agreement", "", 0);
    for (size_t i = 0; form_next(form, i, count); i++)
        put_agreement(form, &all[i]);
}

void compare_print_all(struct print *print, enum report_format format,
                       const struct alignment *alignment, const struct trace_origin *origin,
                       const struct agreement *all, size_t count)
{
    const struct compare_figures *figures = &all->figures;
    bool is_table = format == FORMAT_TSV;
    struct form *form =
        is_table ? form_begin_table(print) : form_begin(print, format, "compare-all-2");
    if (!form)
        return;
    if (!is_table) {
        origin_put(form, origin);
        put_alignment(form, alignment);
        form_head(form, "");
        form_line(form, "allocations", "allocated", "allocations",
                  value_number(figures->allocations));
        form_line(form, "recorded_deaths", "deaths", "deaths", value_number(figures->deaths));
    }
    put_agreements(form, all, count);
    form_finish(form);
}
