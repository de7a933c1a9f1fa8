#include "report/stats_print.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What stands at the end of a line of a ranking has so much room, at 80 columns. */
enum { NAME_WIDTH = 23 };

static void print_head(struct print *print, const struct stats *stats)
{
    const struct assumptions *assumptions = stats->assumptions;
    print_text(print, "trace      %s (%s)\n", stats->name,
               stats->history->explicit_time ? "time dialect" : "thread dialect");
    if (assumptions)
        print_text(print, "deaths     --held-by=%s --unallocated=%s --at-end=%s\n",
                   assumptions_held_by(assumptions), assumptions_unallocated(assumptions),
                   assumptions_at_end(assumptions));
    else
        print_text(print, "deaths     as recorded in the trace\n");
}

/* The rows of a kind whose name a letter begins: "N objects allocated" in stats_kinds. */
static void print_event(struct print *print, const struct stats *stats,
                        const struct stats_kind *kind, uint64_t all)
{
    char share[SHARE_SIZE];
    uint64_t events = stats_events(stats, kind->kind);
    if (events > 0)
        print_text(print, "  %-24s %15" PRIu64 " %8s\n", kind->name, events,
                   print_share(share, events, all));
}

static void print_events(struct print *print, const struct stats *stats)
{
    uint64_t all = 0;
    for (size_t i = 0; i < STATS_KINDS; i++)
        all += stats_events(stats, stats_kinds[i].kind);
    print_text(print, "\n%-26s %15s\n", "events", "count");
    for (size_t i = 0; i < STATS_KINDS; i++)
        print_event(print, stats, &stats_kinds[i], all);
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
    print_text(print, "\n%-26s %15s %8s %18s\n", "allocated", "objects", "", "bytes");
    for (size_t i = 0; i < STATS_KINDS; i++) {
        const struct stats_amount *amount = &stats->allocated[stats_kinds[i].kind];
        if (amount->objects > 0)
            print_amount(print, stats_kinds[i].name, amount, &all);
    }
    print_amount(print, "all", &all, &all);
    print_amount(print, "died", &stats->died, &all);
    print_amount(print, "alive at the end", &stats->alive, &all);
    if (stats_has_uses(stats))
        print_amount(print, "used only once", &stats->used_once, &all);
}

static void print_peak(struct print *print, const struct stats *stats, const char *name,
                       const struct live_point *point)
{
    print_text(print, "  %-16s %12" PRIu64 " %16" PRIu64 " %14" PRIu64 " %16" PRIu64 "\n", name,
               point->objects, point->size, ledger_time(stats->ledger, point->tick),
               point->bytes);
}

static void print_live(struct print *print, const struct stats *stats)
{
    print_text(print, "\n%-18s %12s %16s %14s %16s\n", "live heap", "objects", "bytes",
               "at time", "bytes allocated");
    print_peak(print, stats, "most objects", &stats->most_objects);
    print_peak(print, stats, "most bytes", &stats->most_bytes);
}

static void print_quantile(struct print *print, const char *name, uint64_t ticks,
                           uint64_t bytes, const uint64_t *drag)
{
    print_text(print, "  %-16s %15" PRIu64 "    %18" PRIu64, name, ticks, bytes);
    if (drag)
        print_text(print, "    %15" PRIu64, *drag);
    print_text(print, "\n");
}

static void print_lifetimes(struct print *print, const struct stats *stats)
{
    const struct distribution *ticks = &stats->ticks, *bytes = &stats->bytes;
    const struct distribution *drag = stats_has_uses(stats) ? &stats->drag : NULL;
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
        print_amount(print, name, &survival->survived, &survival->asked);
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
        const struct stats_groups *class = &stats->groups[i];
        uint64_t most = UINT64_C(1) << i, least = i == 0 ? 1 : most / 2 + 1;
        if (class->groups == 0)
            continue;
        if (least == most)
            snprintf(name, sizeof name, "%" PRIu64, most);
        else
            snprintf(name, sizeof name, "%" PRIu64 " to %" PRIu64, least, most);
        print_text(print, "  %-24s %12" PRIu64 " %12" PRIu64 " %18" PRIu64, name, class->groups,
                   class->amount.objects, class->amount.bytes);
        if (i == 0)
            print_text(print, "        -\n");
        else
            print_text(print, " %8" PRIu64 "\n", class->cyclic);
    }
}

/* What a type or site is called: its name or, of a site without one, that of its type; NULL: it
 * has none. */
static const char *find_name(const struct tally *tally, const struct names *names,
                             enum name_space space)
{
    const char *name = names_find(names, space, tally->id);
    if (!name && space == NAMES_SITE && !tally->has_types)
        name = names_find(names, NAMES_TYPE, tally->type);
    return name;
}

/* Ends a line that has NAME_WIDTH columns left: with the end of a name that is longer. */
static void print_name(struct print *print, const char *name)
{
    size_t length = name ? strlen(name) : 0;
    if (length == 0)
        print_text(print, "\n");
    else if (length > NAME_WIDTH)
        print_text(print, " ...%s\n", name + length - (NAME_WIDTH - 3));
    else
        print_text(print, " %s\n", name);
}

static void print_tally(struct print *print, const struct tally *tally)
{
    char mean[WIDE_SIZE];
    print_text(print, "%11" PRIu64 " %9" PRIu64 " %11" PRIu64, tally->id, tally->objects,
               tally->bytes);
    if (tally->deaths == 0)
        print_text(print, " %11s", "-");
    else
        print_text(print, " %11s",
                   figures_format_wide(
                       mean, (figures_mean(tally->lifetime, tally->deaths) + 50) / 100));
    print_text(print, " %10" PRIu64, tally->live);
}

/* What the rankings are by, in the order of enum ranking. */
static const char *const rankings[RANKINGS] = {"objects", "bytes", "mean lifetime in bytes",
                                               "bytes live at the peak"};

static void print_ranking(struct print *print, const struct tallies *tallies,
                          enum ranking ranking, const struct names *names,
                          enum name_space space, size_t top)
{
    const struct tally **ranked;
    size_t count;
    if (print->status != STATUS_OK || tallies->count == 0)
        return;
    print->status = tallies_rank(tallies, ranking, top, &ranked, &count, print->why);
    if (print->status != STATUS_OK)
        return;
    const char *what = space == NAMES_TYPE ? "types" : "sites";
    print_text(print, "\n%s by %s: %zu of %zu\n", what, rankings[ranking], count,
               tallies->count);
    print_text(print, "%11s %9s %11s %11s %10s\n", space == NAMES_TYPE ? "type" : "site",
               "objects", "bytes", "lifetime", "peak");
    for (size_t i = 0; i < count; i++) {
        print_tally(print, ranked[i]);
        print_name(print, find_name(ranked[i], names, space));
    }
    free(ranked);
}

void stats_print_text(struct print *print, const struct stats *stats, const struct names *names,
                      size_t top)
{
    print_head(print, stats);
    print_events(print, stats);
    print_amounts(print, stats);
    print_live(print, stats);
    print_lifetimes(print, stats);
    print_survivals(print, stats);
    print_causes(print, stats);
    print_groups(print, stats);
    for (unsigned i = 0; i < RANKINGS; i++)
        print_ranking(print, &stats->types, (enum ranking)i, names, NAMES_TYPE, top);
    for (unsigned i = 0; i < RANKINGS; i++)
        print_ranking(print, &stats->sites, (enum ranking)i, names, NAMES_SITE, top);
}
