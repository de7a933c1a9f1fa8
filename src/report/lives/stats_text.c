/* SPDX-License-Identifier: MIT */
/* The statistics as text of 80 columns, but for names of methods and contexts, which are whole:
 * what is in the trace, how long objects live, why they die, and which places matter. */
#include "report/lives/place_name.h"
#include "report/lives/ranked_places.h"
#include "report/lives/stats_print.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What stands at the end of a line of a ranking has so much room, at 80 columns. */
enum { NAME_WIDTH = 23 };

static void stats_text_print_head(struct print *print, const struct stats *stats)
{
    const struct assumptions *assumptions = stats->assumptions;
    print_text(print, "trace      ");
    print_shown(print, stats->name);
    print_text(print, " (%s)\n",
               stats->history->explicit_time ? "time dialect" : "thread dialect");
    if (assumptions)
        print_text(print, "deaths     --held-by=%s --unallocated=%s --at-end=%s\n",
                   assumptions_held_by(assumptions), assumptions_unallocated(assumptions),
                   assumptions_at_end(assumptions));
    else
        print_text(print, "deaths     as recorded in the trace\n");
}

static void print_event(struct print *print, const struct stats *stats,
                        const struct record_layout *layout, uint64_t all)
{
    char share[SHARE_SIZE], title[RECORD_TITLE_SIZE];
    uint64_t events = stats_events(stats, layout->kind);
    if (events > 0)
        print_text(print, "  %-24s %15" PRIu64 " %8s\n", record_title(title, layout), events,
                   print_share(share, events, all));
}

static void print_events(struct print *print, const struct stats *stats)
{
    uint64_t all = 0;
    for (size_t i = 0; i < record_layout_count; i++)
        all += stats_events(stats, record_layouts[i].kind);
    print_text(print, "\n%-26s %15s\n", "events", "count");
    for (size_t i = 0; i < record_layout_count; i++)
        print_event(print, stats, &record_layouts[i], all);
    print_text(print, "  %-24s %15" PRIu64 "\n", "all", all);
    if (!stats->history->explicit_time)
        print_text(print, "%-26s %15" PRIu32 "\n", "threads",
                   frames_thread_count(stats->history->heap.frames));
}

/* A row of objects and bytes, and what share of `all` they are. */
static void print_amount(struct print *print, const char *name,
                         const struct stats_amount *amount, const struct stats_amount *all)
{
    char objects[SHARE_SIZE], bytes[SHARE_SIZE];
    print_text(print, "  %-24s %15" PRIu64 " %8s %18" PRIu64 " %8s\n", name, amount->objects,
               print_share(objects, amount->objects, all->objects), amount->bytes,
               print_share(bytes, amount->bytes, all->bytes));
}

static void print_amounts(struct print *print, const struct stats *stats)
{
    struct stats_amount all = stats_allocated(stats);
    char title[RECORD_TITLE_SIZE];
    print_text(print, "\n%-26s %15s %8s %18s\n", "allocated", "objects", "", "bytes");
    for (size_t i = 0; i < record_layout_count; i++) {
        const struct stats_amount *amount = &stats->allocated[record_layouts[i].kind];
        if (amount->objects > 0)
            print_amount(print, record_title(title, &record_layouts[i]), amount, &all);
    }
    print_amount(print, "all", &all, &all);
    print_amount(print, "died", &stats->died, &all);
    print_amount(print, "alive at the end", &stats->alive, &all);
    if (stats_has_uses(stats))
        print_amount(print, "used only once", &stats->used_once, &all);
}

static void print_peak(struct print *print, const char *name, const struct live_point *point)
{
    print_text(print, "  %-16s %12" PRIu64 " %16" PRIu64 " %14" PRIu64 " %16" PRIu64 "\n", name,
               point->objects, point->size, point->time, point->bytes);
}

static void print_live(struct print *print, const struct stats *stats)
{
    print_text(print, "\n%-18s %12s %16s %14s %16s\n", "live heap", "objects", "bytes",
               "at time", "bytes allocated");
    print_peak(print, "most objects", &stats->places->peaks.most_objects);
    print_peak(print, "most bytes", &stats->places->peaks.most_bytes);
}

static void print_quantile(struct print *print, const char *name, uint64_t ticks,
                           uint64_t bytes, const uint64_t *drag)
{
    print_text(print, "  %-16s %15" PRIu64 "    %18" PRIu64, name, ticks, bytes);
    if (drag)
        print_text(print, "    %15" PRIu64, *drag);
    print_text(print, "\n");
}

/* What is left out of drag, and why. */
static void print_died_before_use(struct print *print, const struct stats *stats)
{
    uint64_t objects = stats->died_before_use.objects;
    if (objects == 0 || !stats_has_uses(stats))
        return;
    print_text(print, "  %" PRIu64 " died before their last use and %s no drag: ", objects,
               objects == 1 ? "has" : "have");
    for (size_t i = 0; i < objects && i < STATS_NAMED; i++)
        print_text(print, "%s%" PRIu64, i > 0 ? ", " : "", stats->named[i]);
    print_text(print, "%s\n", objects > STATS_NAMED ? ", ..." : "");
}

static void stats_text_print_lifetimes(struct print *print, const struct stats *stats)
{
    const struct distribution *ticks = &stats->ticks, *bytes = &stats->bytes;
    const struct distribution *drag =
        stats_has_uses(stats) && stats->drag.count > 0 ? &stats->drag : NULL;
    if (ticks->count == 0)
        return;
    print_text(print, "\n%-18s %15s    %18s", "of what died", "lifetime, ticks",
               "lifetime, bytes");
    if (drag)
        print_text(print, "    %15s", "drag, ticks");
    print_text(print, "\n");
    print_text(print, "  %-16s %15" PRIu64 ".%02u %18" PRIu64 ".%02u", "average", ticks->mean,
               ticks->mean_hundredths, bytes->mean, bytes->mean_hundredths);
    if (drag)
        print_text(print, " %15" PRIu64 ".%02u", drag->mean, drag->mean_hundredths);
    print_text(print, "\n");
    print_quantile(print, "median", ticks->median, bytes->median, drag ? &drag->median : NULL);
    print_quantile(print, "90% at most", ticks->p90, bytes->p90, drag ? &drag->p90 : NULL);
    print_quantile(print, "99% at most", ticks->p99, bytes->p99, drag ? &drag->p99 : NULL);
    print_quantile(print, "maximum", ticks->max, bytes->max, drag ? &drag->max : NULL);
    print_died_before_use(print, stats);
}

static void print_survivals(struct print *print, const struct stats *stats)
{
    char name[32];
    print_text(print, "\n%-26s %15s %8s %18s\n", "alive after an allocation", "objects", "",
               "bytes");
    for (size_t i = 0; i < STATS_SURVIVALS; i++) {
        const struct stats_survival *survival = &stats->survivals[i];
        bool is_large = survival->limit >= 1024 * 1024;
        snprintf(name, sizeof name, "of %4" PRIu64 " %s",
                 survival->limit >> (is_large ? 20 : 10), is_large ? "MiB" : "KiB");
        print_amount(print, name, &survival->survived, &survival->eligible);
    }
}

static void print_causes(struct print *print, const struct stats *stats)
{
    struct stats_amount all = stats_allocated(stats);
    if (!stats->assumptions || all.objects == 0)
        return;
    print_text(print, "\n%-26s %15s %8s %18s\n", "causes of death", "objects", "", "bytes");
    for (unsigned cause = 0; cause < CAUSE_COUNT; cause++)
        if (stats->causes[cause].objects > 0)
            print_amount(print, cause_name((enum cause)cause), &stats->causes[cause], &all);
}

static void print_groups(struct print *print, const struct stats *stats)
{
    char name[64];
    if (!stats->assumptions || stats->died.objects == 0)
        return;
    print_text(print, "\n%-26s %12s %12s %18s %8s\n", "died together", "groups", "objects",
               "bytes", "cyclic");
    for (unsigned i = 0; i < STATS_GROUP_CLASSES; i++) {
        const struct stats_groups *size_class = &stats->groups[i];
        uint64_t most = UINT64_C(1) << i, least = i == 0 ? 1 : most / 2 + 1;
        if (size_class->groups == 0)
            continue;
        if (least == most)
            snprintf(name, sizeof name, "%" PRIu64, most);
        else
            snprintf(name, sizeof name, "%" PRIu64 " to %" PRIu64, least, most);
        print_text(print, "  %-24s %12" PRIu64 " %12" PRIu64 " %18" PRIu64, name,
                   size_class->groups, size_class->amount.objects, size_class->amount.bytes);
        if (i == 0)
            print_text(print, "        -\n");
        else
            print_text(print, " %8" PRIu64 "\n", size_class->cyclic);
    }
}

/* Prints the last `length` bytes of a text that has at least so many, or less, from the
 * beginning of a character on. */
static void print_end(struct print *print, const char *end, size_t length)
{
    while (length > 0 && ((unsigned char)end[-(ptrdiff_t)length] & 0xc0) == 0x80)
        length--;
    print_shown(print, end - length);
}

/* Shows the last `width` bytes of a name that has more. */
static void print_name_end(struct print *print, const struct name_parts *name, size_t width)
{
    size_t own = name->own_length, owner = width > own + 1 ? width - own - 1 : 0;
    print_text(print, " ...");
    if (own < width) {
        print_end(print, name->owner + name->owner_length, owner);
        print_text(print, "#");
    }
    print_end(print, name->own + own, own < width ? own : width);
    print_text(print, "\n");
}

/* Ends a line that has NAME_WIDTH columns left: with the end of a name that is longer. */
static void print_name(struct print *print, const struct name_parts *name)
{
    const char *separator = name->owner ? "#" : "";
    size_t length = name->owner_length + strlen(separator) + name->own_length;
    if (length == 0)
        print_text(print, "\n");
    else if (length <= NAME_WIDTH) {
        print_text(print, " ");
        print_shown(print, name->owner ? name->owner : "");
        print_text(print, "%s", separator);
        print_shown(print, name->own);
        print_text(print, "\n");
    } else
        print_name_end(print, name, NAME_WIDTH - 3);
}

/* A name in full, or the number of what has none. */
static void print_named(struct print *print, const struct names *names, enum name_space space,
                        uint64_t id)
{
    struct name_parts name = names_find_parts(names, space, id);
    if (!name.own) {
        print_text(print, " %" PRIu64, id);
        return;
    }
    print_text(print, " ");
    if (name.owner)
        print_shown(print, name.owner);
    if (name.owner)
        print_text(print, "#");
    print_shown(print, name.own);
}

/* A name after what stands before it on the line: of a method or context in full. */
static void print_place(struct print *print, const struct tally *tally,
                        const struct ranked_places *places, struct place_name *name)
{
    const char *frames = NULL;
    if (places->contexts)
        frames = place_name_of_context(name, places->contexts, tally->context, places->names);
    if (places->contexts && !frames)
        print->status = fail_memory(print->why);
    if (frames) {
        print_text(print, " ");
        print_shown(print, frames);
    } else if (!tally->has_method) {
        print_text(print, " (none)");
    } else {
        print_named(print, places->names, NAMES_METHOD, tally->method);
    }
    print_text(print, ",");
    print_named(print, places->names, NAMES_TYPE, tally->type);
    print_text(print, "\n");
}

static void print_id(struct print *print, const struct tally *tally,
                     const struct ranked_places *places)
{
    if (places->contexts)
        print_text(print, "%11" PRIu32, tally->context);
    else if (places->is_of_ids)
        print_text(print, "%11" PRIu64, tally->id);
    else
        print_text(print, "%10" PRIu64 "%s", tally->site, tally->has_sites ? "+" : " ");
}

/* What a ranking by drag shows instead of lifetimes: the share of all drag, here to a tenth. */
static void print_drag(struct print *print, const struct tally *tally, wide_sum all)
{
    wide_sum share = all >> 64 == 0 ? tally->drag * 1000 / all : tally->drag / (all / 1000);
    print_text(print, " %8u.%u%%", (unsigned)(share / 10), (unsigned)(share % 10));
}

static void print_mean(struct print *print, const struct tally *tally)
{
    char mean[WIDE_SIZE];
    if (tally->deaths == 0)
        print_text(print, " %11s", "-");
    else
        print_text(print, " %11s",
                   figures_format_wide(
                       mean, (figures_mean(tally->lifetime, tally->deaths) + 50) / 100));
}

static wide_sum drag_of_all(const struct tallies *tallies)
{
    wide_sum all = 0;
    for (size_t i = 0; i < tallies->count; i++)
        all += tallies->items[i].drag;
    return all;
}

static void print_rows(struct print *print, const struct ranked_places *places,
                       enum ranking ranking, const struct tally **ranked, size_t count)
{
    struct place_name frames = {.text = NULL};
    wide_sum drag = drag_of_all(places->tallies);
    for (size_t i = 0; i < count; i++) {
        print_id(print, ranked[i], places);
        print_text(print, " %9" PRIu64 " %11" PRIu64, ranked[i]->objects, ranked[i]->bytes);
        if (ranking == RANK_DRAG)
            print_drag(print, ranked[i], drag);
        else
            print_mean(print, ranked[i]);
        print_text(print, " %10" PRIu64, ranked[i]->live);
        if (!places->is_of_ids) {
            print_place(print, ranked[i], places, &frames);
            continue;
        }
        struct name_parts name = names_find_parts(places->names, places->space, ranked[i]->id);
        print_name(print, &name);
    }
    free(frames.text);
}

/* What the rankings are by, in the order of enum ranking. */
static const char *const rankings[RANKINGS] = {
    "objects", "bytes", "drag", "mean lifetime in bytes", "bytes live at the peak"};

/* `id` heads the first column. */
static void print_ranking(struct print *print, const char *what, const char *id,
                          const struct ranked_places *places, enum ranking ranking,
                          const struct ranking_choice *choice)
{
    const struct tally **ranked;
    size_t count;
    if (print->status != STATUS_OK || places->tallies->count == 0)
        return;
    print->status = tallies_rank(places->tallies, ranking, choice, &ranked, &count, print->why);
    if (print->status != STATUS_OK)
        return;
    if (count > 0) {
        print_text(print, "\n%s by %s: %zu of %zu\n", what, rankings[ranking], count,
                   places->tallies->count);
        print_text(print, "%11s %9s %11s %11s %10s\n", id, "objects", "bytes",
                   ranking == RANK_DRAG ? "drag" : "lifetime", "peak");
        print_rows(print, places, ranking, ranked, count);
    }
    free(ranked);
}

static void print_phase(struct print *print, const char *name, wide_sum died, wide_sum alive)
{
    char of_died[WIDE_SIZE], of_alive[WIDE_SIZE];
    print_text(print, "  %-16s %26s %26s\n", name, figures_format_wide(of_died, died),
               figures_format_wide(of_alive, alive));
}

static void print_phases(struct print *print, const struct stats *stats)
{
    const struct stats_phases *died = &stats->phases[0], *alive = &stats->phases[1];
    if (!stats_has_uses(stats) || stats->places->next == 0)
        return;
    print_text(print, "\n%-18s %26s %26s\n", "bytes times bytes", "of what died",
               "alive at the end");
    print_phase(print, "before first use", died->lag, alive->lag);
    print_phase(print, "in use", died->use, alive->use);
    print_phase(print, "after last use", died->drag, alive->drag);
    print_phase(print, "never used", died->voids, alive->voids);
}

static void print_gini(struct print *print, const struct stats *stats)
{
    char bytes[GINI_SIZE], objects[GINI_SIZE];
    if (stats->places->next > 0)
        print_text(print, "\nGini coefficient of lifetimes: %s by bytes, %s by objects\n",
                   gini_print(bytes, &stats->places->all.by_bytes),
                   gini_print(objects, &stats->places->all.by_objects));
}

static void print_text_rankings(struct print *print, const char *what, const char *id,
                                const struct ranked_places *places,
                                const struct ranking_choice *choice)
{
    for (unsigned i = 0; i < RANKINGS; i++)
        print_ranking(print, what, id, places, (enum ranking)i, choice);
}

void stats_print_text(struct print *print, const struct stats *stats, const struct names *names,
                      const struct ranking_choice *choice)
{
    struct ranked_places types = ranked_types(stats, names);
    struct ranked_places methods = ranked_methods(stats, names);
    struct ranked_places contexts = ranked_contexts(stats, names);
    stats_text_print_head(print, stats);
    print_events(print, stats);
    print_amounts(print, stats);
    print_live(print, stats);
    stats_text_print_lifetimes(print, stats);
    print_phases(print, stats);
    print_gini(print, stats);
    print_survivals(print, stats);
    print_causes(print, stats);
    print_groups(print, stats);
    print_text_rankings(print, "types", "type", &types, choice);
    print_text_rankings(print, "methods and types", "site ", &methods, choice);
    print_text_rankings(print, "contexts and types", "context", &contexts, choice);
}
