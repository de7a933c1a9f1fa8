/* SPDX-License-Identifier: MIT */
/* The comparison as text: verdict first, then how the deaths were aligned, then the figures,
 * and examples with their lines, so that a difference can be looked up in the trace. */
#include "report/compare/compare_print.h"

#include <inttypes.h>

const char *compare_by_name(const struct alignment *alignment)
{
    return alignment->by == COMPARE_BY_TIME ? "time" : "position";
}

void compare_by_reason(const struct alignment *alignment, char *out, size_t size)
{
    if (alignment->requested != COMPARE_BY_AUTO)
        snprintf(out, size, "as --compare-by says");
    else if (alignment->recorded->death_count == 0)
        snprintf(out, size, "there are no recorded deaths");
    else if (alignment->misfit_line == 0)
        snprintf(out, size, "all recorded times are of the trace's clock");
    else
        snprintf(out, size, "the recorded time in line %" PRIu64 " is not of the trace's clock",
                 alignment->misfit_line);
}

static void compare_text_print_head(struct print *print, const struct comparison *comparison,
                                    const struct assumptions *assumptions)
{
    const struct alignment *alignment = comparison->alignment;
    char reason[120];
    compare_by_reason(alignment, reason, sizeof reason);
    print_text(print, "trace      ");
    print_shown(print, alignment->trace->name);
    print_text(print, " (%s dialect)\n",
               comparison->deaths->history->explicit_time ? "time" : "thread");
    print_text(print, "recorded   ");
    print_shown(print, alignment->recorded->name);
    print_text(print, "\n");
    print_text(print, "compared   by %s: %s\n", compare_by_name(alignment), reason);
    print_text(print, "computed   --held-by=%s --unallocated=%s --at-end=%s\n",
               assumptions_held_by(assumptions), assumptions_unallocated(assumptions),
               assumptions_at_end(assumptions));
}

static void print_counts(struct print *print, const struct compare_figures *figures)
{
    const uint64_t *classes = figures->classes, *impossible = figures->impossible;
    uint64_t all = figures->allocations, deaths = figures->deaths;
    print_count(print, "\nallocations", all, all, "");
    print_count(print, "  same", classes[CLASS_SAME], all, "");
    print_count(print, "    alive", figures->same_alive, all, "no death in either");
    print_count(print, "  early", classes[CLASS_EARLY], all, "recorded before computed");
    print_count(print, "    impossible", impossible[CLASS_EARLY], all,
                "used after the recorded death");
    print_count(print, "  late", classes[CLASS_LATE], all, "recorded after computed");
    print_count(print, "  missing", classes[CLASS_MISSING], all, "computed, not recorded");
    print_count(print, "  extra", classes[CLASS_EXTRA], all,
                "recorded, computed alive at the end");
    print_count(print, "    impossible", impossible[CLASS_EXTRA], all,
                "used after the recorded death");
    print_count(print, "recorded deaths", deaths, deaths, "");
    print_count(print, "  unknown", figures->unknown, deaths, "of objects not allocated");
    print_count(print, "  repeated", figures->repeated, deaths, "of objects that had one");
}

static void print_distribution(struct print *print, const char *name,
                               const struct distribution *distances)
{
    if (distances->count > 0)
        print_text(print,
                   "%-19s %11" PRIu64 " %11" PRIu64 " %11" PRIu64 " %11" PRIu64 " %8" PRIu64
                   ".%02u\n",
                   name, distances->min, distances->median, distances->p90, distances->max,
                   distances->mean, distances->mean_hundredths);
}

static void print_ranges(struct print *print, const char *name,
                         const struct compare_distances *distances)
{
    if (distances->distribution.count == 0)
        return;
    print_text(print, "%-19s", name);
    for (enum compare_range range = 0; range < RANGE_COUNT; range++)
        print_text(print, " %11" PRIu64, distances->ranges[range]);
    print_text(print, "\n");
}

static void print_distances(struct print *print, const struct compare_figures *figures)
{
    if (figures->early.distribution.count == 0 && figures->late.distribution.count == 0)
        return;
    print_text(print, "\n%-19s %11s %11s %11s %11s %11s\n", "distance in ticks", "min",
               "median", "90%", "max", "mean");
    print_distribution(print, "  early", &figures->early.distribution);
    print_distribution(print, "  late", &figures->late.distribution);
    print_distribution(print, "  all, same ones 0", &figures->all.distribution);
    print_text(print, "\n%-19s", "allocations at");
    for (enum compare_range range = 0; range < RANGE_COUNT; range++)
        print_text(print, " %11s", compare_range_name(range));
    print_text(print, "\n");
    print_ranges(print, "  early", &figures->early);
    print_ranges(print, "  late", &figures->late);
}

static void compare_text_print_row(struct print *print, const struct compare_row *row)
{
    print_cell(print, 9, true, row->line);
    print_cell(print, 9, row->recorded_line > 0, row->recorded_line);
    print_cell(print, 11, true, row->object);
    print_cell(print, 10, row->is_dead, row->computed);
    print_cell(print, 10, row->recorded_line > 0, row->recorded);
    if (row->used_line == 0)
        print_text(print, "  %s\n", compare_class_name(row->verdict));
    else
        print_text(print, "  impossible: line %" PRIu64 "\n", row->used_line);
}

static void print_differences(struct print *print, const struct comparison *comparison,
                              uint64_t show)
{
    const struct compare_figures *figures = &comparison->figures;
    uint64_t differing = figures->allocations - figures->classes[CLASS_SAME], shown = 0;
    if (differing == 0 || show == 0)
        return;
    print_title(print, show, differing, "differing allocations");
    print_text(print, "%10s %9s %11s %10s %10s  %s\n", "N in line", "D in line", "object",
               "computed", "recorded", "class: line of use");
    for (size_t i = 0; shown < show && shown < differing; i++) {
        struct compare_row row = compare_row(comparison, i);
        if (row.verdict == CLASS_SAME)
            continue;
        compare_text_print_row(print, &row);
        shown++;
    }
}

static void print_leftovers(struct print *print, const struct comparison *comparison,
                            uint64_t show)
{
    const struct compare_figures *figures = &comparison->figures;
    uint64_t left = figures->unknown + figures->repeated, shown = 0;
    if (left == 0 || show == 0)
        return;
    print_title(print, show, left, "recorded deaths that belong to no allocation");
    print_text(print, "%20s %11s %21s\n", "D in line", "object", "recorded");
    for (size_t i = 0; shown < show && shown < left; i++) {
        if (comparison->pairing.fates[i] == DEATH_PAIRED)
            continue;
        const struct recorded_death *death = &comparison->alignment->recorded->deaths[i];
        print_text(print, "%20" PRIu64 " %11" PRIu64 " %21" PRIu64 "  %s\n", death->line,
                   death->object, alignment_shown_time(comparison->alignment, death),
                   compare_fate_name(comparison->pairing.fates[i]));
        shown++;
    }
}

void compare_print_text(struct print *print, const struct comparison *comparison,
                        const struct assumptions *assumptions, uint64_t show)
{
    compare_text_print_head(print, comparison, assumptions);
    print_counts(print, &comparison->figures);
    print_distances(print, &comparison->figures);
    print_differences(print, comparison, show);
    print_leftovers(print, comparison, show);
}
