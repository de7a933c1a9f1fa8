/* SPDX-License-Identifier: MIT */
/* The statistics as a document: what is in the trace, how long objects live, why they die, and,
 * in rankings.c, which sites matter. And as a report, which gathers them from births and lives,
 * and prints them at the end in the form that is asked for. */
#include "report/stats/stats.h"

#include "report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    LABELS = 26,
    SHORT_LABELS = 18,
    CELLS = 19,
    NUMBERS = 15,
    AMOUNT = 41,
    TEN_THOUSAND = 10000
};

static bool has_threads(const struct stats *stats)
{
    return !stats->pass->explicit_time;
}

void stats_put_head(struct form *form, const struct stats *stats)
{
    uint64_t threads = frames_thread_count(stats->pass->heap.frames);
    form_head(form, "");
    form_line(form, "deaths", "deaths", "word",
              value_text(stats->assumptions ? "computed" : "recorded"));
    form_line(form, "level", "level", "word", value_text(trace_level_name(stats->level)));
    form_line(form, "threads", "threads", "count",
              value_number_if(has_threads(stats), threads));
}

/* Begins a row of a kind of record; its key is the letter of that. */
static void begin_kind(struct form *form, const struct record_layout *layout)
{
    const char key[] = {(char)layout->kind, '\0'};
    char title[RECORD_TITLE_SIZE];
    form_row(form, key, record_title(title, layout));
}

static void put_events_of(struct form *form, uint64_t events, uint64_t all)
{
    form_cell(form, "", "count", 15, "count", value_number(events));
    form_cell(form, NULL, "", 8, "percent", value_share(events, all));
}

/* The events of each kind, then their sum. */
static void put_events(struct form *form, const struct stats *stats)
{
    uint64_t all = 0;
    for (size_t i = 0; i < record_layout_count; i++)
        all += stats_events(stats, record_layouts[i].kind);
    form_rows(form, "events", "events", LABELS);
    for (size_t i = 0; i < record_layout_count; i++) {
        uint64_t events = stats_events(stats, record_layouts[i].kind);
        begin_kind(form, &record_layouts[i]);
        if (events == 0)
            form_hide_row(form);
        put_events_of(form, events, all);
    }
    form_row(form, "all", "all");
    put_events_of(form, all, all);
}

/* Puts objects and bytes, and their share of `all`. */
static void put_amount(struct form *form, const struct amount *amount, const struct amount *all)
{
    form_cell(form, "objects", "objects", 15, "objects", value_number(amount->objects));
    form_cell(form, "objects_percent", "", 8, "percent",
              value_share(amount->objects, all->objects));
    form_cell(form, "bytes", "bytes", 18, "bytes", value_number(amount->bytes));
    form_cell(form, "bytes_percent", "", 8, "percent", value_share(amount->bytes, all->bytes));
}

static void put_amount_row(struct form *form, const char *key, const char *label,
                           const struct amount *amount, const struct amount *all)
{
    form_row(form, key, label);
    put_amount(form, amount, all);
}

/* Such a row, which text leaves out unless `is_shown`. */
static void put_shown_if(struct form *form, bool is_shown, const char *key, const char *label,
                         const struct amount *amount, const struct amount *all)
{
    put_amount_row(form, key, label, amount, all);
    if (!is_shown)
        form_hide_row(form);
}

static bool is_of_kind(unsigned kind, bool is_prior)
{
    return is_prior ? record_is_prior(kind)
                    : record_is_allocation(kind) && !record_is_prior(kind);
}

/* Puts the objects that are allocated or, with `is_prior`, that were there before the trace:
 * all of them, then those of each kind of record. */
static void put_kinds(struct form *form, const struct stats *stats, const struct amount *all,
                      bool is_prior)
{
    put_shown_if(form, !is_prior || all->objects > 0, "", "all", all, all);
    for (size_t i = 0; i < record_layout_count; i++) {
        const struct record_layout *layout = &record_layouts[i];
        const struct amount *amount = &stats->allocated[layout->kind];
        if (!is_of_kind(layout->kind, is_prior))
            continue;
        begin_kind(form, layout);
        if (amount->objects == 0)
            form_hide_row(form);
        put_amount(form, amount, all);
    }
}

static void put_allocated(struct form *form, const struct stats *stats)
{
    const struct amount all = stats_allocated(stats);
    form_rows(form, "allocated", "allocated", LABELS);
    put_kinds(form, stats, &all, false);
    form_rows(form, "", NULL, LABELS);
    put_amount_row(form, "died", "died", &stats->died, &all);
    put_amount_row(form, "alive", "alive at the end", &stats->alive, &all);
    form_row_if(form, stats_has_uses(stats), "used_once", "used only once");
    put_amount(form, &stats->used_once, &all);
    form_lines(form, "", NULL, LABELS, AMOUNT);
    form_line(form, "longest_tick_bytes", "most between boundaries", "bytes",
              value_number(stats->longest_tick));
}

static void put_before(struct form *form, const struct stats *stats)
{
    const struct amount all = stats_prior(stats);
    form_rows(form, "before", "before the trace", LABELS);
    put_kinds(form, stats, &all, true);
    form_rows(form, "before", NULL, LABELS);
    put_shown_if(form, all.objects > 0, "died", "died", &stats->prior_died, &all);
    put_shown_if(form, all.objects > 0, "alive", "alive at the end", &stats->prior_alive, &all);
    form_lines(form, "before", NULL, 0, 0);
    form_put(form, "live_at_peak", "bytes", value_number(stats->sums->prior_live));
}

static void put_peak(struct form *form, const char *key, const char *label,
                     const struct live_point *peak)
{
    form_row(form, key, label);
    form_cell(form, "objects", "objects", 12, "objects", value_number(peak->objects));
    form_cell(form, "bytes", "bytes", 16, "bytes", value_number(peak->size));
    form_cell(form, "time", "at time", 14, "time", value_number(peak->time));
    form_cell(form, "bytes_allocated", "bytes allocated", 16, "bytes",
              value_number(peak->bytes));
}

static void put_peaks(struct form *form, const struct live_peaks *peaks)
{
    form_rows(form, "", "live heap", SHORT_LABELS);
    put_peak(form, "most_objects", "most objects", &peaks->most_objects);
    put_peak(form, "most_bytes", "most bytes", &peaks->most_bytes);
}

static void put_distribution(struct form *form, const char *key, const char *label,
                             const char *unit, bool is_there,
                             const struct distribution *distribution)
{
    form_row_if(form, is_there && distribution->count > 0, key, label);
    distribution_put(form, distribution, unit);
}

static void put_lifetimes(struct form *form, const struct stats *stats)
{
    form_upright(form, "", "of what died", SHORT_LABELS, CELLS);
    put_distribution(form, "lifetime_ticks", "lifetime, ticks", "ticks", true, &stats->ticks);
    put_distribution(form, "lifetime_bytes", "lifetime, bytes", "bytes", true, &stats->bytes);
    put_distribution(form, "drag_ticks", "drag, ticks", "ticks", stats_has_uses(stats),
                     &stats->drag);
    form_lines(form, "", NULL, SHORT_LABELS, CELLS);
    form_note(form, early_deaths(stats->level, stats->assumptions));
}

/* The objects that died before their last use, the first of them by name. */
static void put_early(struct form *form, const struct stats *stats)
{
    const struct amount *early = &stats->died_before_use;
    bool has_uses = stats_has_uses(stats);
    uint64_t named = !has_uses                      ? 0
                     : early->objects < STATS_NAMED ? early->objects
                                                    : STATS_NAMED;
    form_lines(form, "died_before_use", NULL, SHORT_LABELS, CELLS);
    form_put(form, "objects", "objects", value_number_if(has_uses, early->objects));
    form_put(form, "bytes", "bytes", value_number_if(has_uses, early->bytes));
    form_line(form, NULL, "died before their last use, so without drag", "objects",
              value_number_if(named > 0, early->objects));
    form_list(form, "died_before_use.first", NULL, SHORT_LABELS);
    for (uint64_t i = 0; form_next(form, i, named); i++) {
        form_item(form);
        form_put(form, "", "id", value_number(stats->named[i]));
        form_cell(form, NULL, "", 0, "id", value_number(stats->named[i]));
    }
}

static void put_phases_row(struct form *form, const char *key, const char *label,
                           const struct stats_phases *phases)
{
    form_row(form, key, label);
    form_line(form, "lag", "before first use", "bytes_bytes", value_number(phases->lag));
    form_line(form, "use", "in use", "bytes_bytes", value_number(phases->use));
    form_line(form, "drag", "after last use", "bytes_bytes", value_number(phases->drag));
    form_line(form, "void", "never used", "bytes_bytes", value_number(phases->voids));
}

static void put_phases(struct form *form, const struct stats *stats)
{
    const struct stats_phases all = stats_all_phases(stats);
    form_upright(form, "phases", "bytes times bytes", SHORT_LABELS, CELLS);
    form_only_if(form, stats_has_uses(stats));
    put_phases_row(form, "died", "of what died", &stats->phases[0]);
    put_phases_row(form, "alive", "alive at the end", &stats->phases[1]);
    put_phases_row(form, "all", "of all", &all);
}

static void put_gini(struct form *form, const struct dispersion *lifetimes)
{
    form_lines(form, "gini", "Gini coefficient of lifetimes", LABELS, NUMBERS);
    form_line(form, "bytes", "by bytes", "fraction", value_gini(&lifetimes->by_bytes));
    form_line(form, "objects", "by objects", "fraction", value_gini(&lifetimes->by_objects));
}

static void put_survival(struct form *form, const struct stats_survival *survival)
{
    const struct amount *all = &survival->eligible, *kept = &survival->survived;
    form_put(form, "bytes_allocated", "bytes", value_number(survival->limit));
    form_put(form, "eligible.objects", "objects", value_number(all->objects));
    form_put(form, "eligible.bytes", "bytes", value_number(all->bytes));
    form_cell(form, "survived.objects", "objects", 15, "objects", value_number(kept->objects));
    form_cell(form, NULL, "", 8, "percent", value_share(kept->objects, all->objects));
    form_cell(form, "survived.bytes", "bytes", 18, "bytes", value_number(kept->bytes));
    form_put(form, "objects_percent", "percent", value_share(kept->objects, all->objects));
    form_cell(form, "bytes_percent", "", 8, "percent", value_share(kept->bytes, all->bytes));
}

/* Rows are called by the amount of allocation, in text and as a key. */
static void put_survivals(struct form *form, const struct stats *stats)
{
    static const char *const keys[STATS_SURVIVALS] = {"4k", "32k", "256k", "1m", "4m", "16m"};
    form_list(form, "survival", "alive after an allocation", LABELS);
    for (size_t i = 0; i < STATS_SURVIVALS; i++) {
        const struct stats_survival *survival = &stats->survivals[i];
        bool is_large = survival->limit >= 1024 * 1024;
        char label[COMPOSED_SIZE];
        snprintf(label, sizeof label, "of %4" PRIu64 " %s",
                 survival->limit >> (is_large ? 20 : 10), is_large ? "MiB" : "KiB");
        form_row(form, keys[i], label);
        put_survival(form, survival);
    }
}

static void put_ages(struct form *form, const struct stats *stats)
{
    const struct amount all = stats_allocated(stats), *ages = stats->ages;
    form_rows(form, "age_at_death", "age at death", LABELS);
    form_only_if(form, stats->bytes_in_all > 0);
    put_amount_row(form, "young", "below 64 KiB", &ages[AGE_YOUNG], &all);
    put_amount_row(form, "older", "64 KiB or more", &ages[AGE_OLDER], &all);
    put_amount_row(form, "alive", "alive at the end", &ages[AGE_ALIVE], &all);
}

static void put_causes(struct form *form, const struct stats *stats)
{
    const struct amount all = stats_allocated(stats);
    form_rows(form, "causes", "causes of death", LABELS);
    form_only_if(form, stats->assumptions != NULL);
    for (size_t i = 0; i < CAUSE_COUNT; i++) {
        const char *name = cause_name((enum cause)i);
        put_shown_if(form, stats->causes[i].objects > 0, name, name, &stats->causes[i], &all);
    }
}

/* Puts groups of at most 2^`size_class` objects. One object alone is in no cycle with others.
 */
static void put_groups_of(struct form *form, unsigned size_class,
                          const struct stats_groups *groups)
{
    uint64_t to = UINT64_C(1) << size_class, from = size_class == 0 ? 1 : to / 2 + 1;
    char label[COMPOSED_SIZE];
    int length = snprintf(label, sizeof label, "%" PRIu64, from);
    if (from != to)
        snprintf(label + length, sizeof label - (size_t)length, " to %" PRIu64, to);
    form_row(form, "", label);
    form_put(form, "from", "objects", value_number(from));
    form_put(form, "to", "objects", value_number(to));
    form_cell(form, "groups", "groups", 12, "count", value_number(groups->groups));
    form_cell(form, "objects", "objects", 12, "objects", value_number(groups->amount.objects));
    form_cell(form, "bytes", "bytes", 18, "bytes", value_number(groups->amount.bytes));
    form_cell(form, "cyclic", "cyclic", 8, "count",
              value_number_if(size_class > 0, groups->cyclic));
}

static void put_groups(struct form *form, const struct stats *stats)
{
    unsigned classes[STATS_GROUP_CLASSES] = {0};
    size_t count = 0;
    for (unsigned i = 0; i < STATS_GROUP_CLASSES; i++)
        if (stats->groups[i].groups > 0)
            classes[count++] = i;
    form_list(form, "groups", "died together", LABELS);
    form_only_if(form, stats->assumptions != NULL);
    for (size_t i = 0; form_next(form, i, count); i++)
        put_groups_of(form, classes[i], &stats->groups[classes[i]]);
}

static void put_outlived(struct form *form, const struct stats *stats)
{
    const struct amount all = stats_allocated(stats);
    form_rows(form, "frames_outlived", "frames outlived", LABELS);
    for (unsigned i = 0; i < OUTLIVED_CLASSES; i++) {
        enum outlived outlived = (enum outlived)i;
        put_shown_if(form, stats->outlived[i].objects > 0 || i == OUTLIVED_0,
                     outlived_key(outlived), outlived_label(outlived), &stats->outlived[i],
                     &all);
    }
}

static void put_sharing(struct form *form, const struct stats *stats)
{
    const struct amount all = stats_allocated(stats);
    form_rows(form, "threads_naming", "named by", LABELS);
    form_only_if(form, has_threads(stats));
    put_amount_row(form, "one", "one thread", &stats->sharing[false], &all);
    put_amount_row(form, "several", "several threads", &stats->sharing[true], &all);
}

static void put_death_sites(struct form *form, const struct stats *stats)
{
    form_rows(form, "death_sites", "where bytes die", LABELS);
    form_only_if(form, stats->sums->has_pairs && stats->shares[0].methods > 0);
    for (size_t i = 0; i < DEATH_SHARES; i++) {
        const struct death_share *share = &stats->shares[i];
        char key[COMPOSED_SIZE], label[COMPOSED_SIZE];
        snprintf(key, sizeof key, "%u_percent", death_share_percents[i]);
        snprintf(label, sizeof label, "%u%% of the dead bytes", death_share_percents[i]);
        form_row(form, key, label);
        form_cell(form, "methods", "methods", 15, "count", value_number(share->methods));
        form_cell(form, "contexts", "contexts", 26, "count", value_number(share->contexts));
    }
}

/* Live bytes are whole: hundredths of a product of two large numbers would not fit. */
static struct value mean_live(const struct stats *stats)
{
    if (stats->bytes_in_all == 0)
        return NO_VALUE;
    return value_number(figures_whole_mean(stats->space_time, stats->bytes_in_all));
}

static struct value mark_cons(const struct marking_costs *marking)
{
    if (marking->allocated == 0)
        return NO_VALUE;
    return value_ten_thousandths(
        figures_whole_mean(marking->marked * TEN_THOUSAND, marking->allocated));
}

/* Figures that the authors of the DaCapo benchmarks also publish have their names. */
static void put_population(struct form *form, const struct stats *stats)
{
    const struct marking_costs *marking = stats->marking;
    const struct distribution *sizes = &stats->sizes;
    bool has_sizes = sizes->count > 0;
    form_lines(form, "population", "population", LABELS, NUMBERS);
    form_line(form, "AOA", "AOA, average size", "bytes", value_distribution_mean(sizes));
    form_line(form, "AOS", "AOS, 10% at most", "bytes", value_number_if(has_sizes, sizes->p10));
    form_line(form, "AOM", "AOM, median size", "bytes",
              value_number_if(has_sizes, sizes->median));
    form_line(form, "AOL", "AOL, 90% at most", "bytes", value_number_if(has_sizes, sizes->p90));
    form_line(form, "mean_live_bytes", "live bytes, on average", "bytes", mean_live(stats));
    form_line(form, "smallest_heap_bytes", "smallest heap, bytes", "bytes",
              value_number(marking->smallest_heap));
    form_line(form, "GTO", "GTO, memory turnover", "ratio",
              value_mean(marking->allocated, marking->smallest_heap));
    form_line(form, "mark_cons_2x", "mark/cons, heap twice that", "ratio", mark_cons(marking));
}

/* Adds up the kinds of reference objects, as kind 0. */
static struct reference_counts add_up_kinds(const struct reference_counts *counts)
{
    struct reference_counts all = *counts;
    for (unsigned kind = 1; kind < REFERENCE_KINDS; kind++) {
        all.objects[0] += counts->objects[kind];
        for (unsigned cause = 0; cause < CLEARING_CAUSES; cause++)
            all.cleared[0][cause] += counts->cleared[kind][cause];
    }
    return all;
}

static void put_references(struct form *form, const struct stats *stats)
{
    static const char *const names[REFERENCE_KINDS] = {"all", "soft", "weak", "final",
                                                       "phantom"};
    const struct reference_counts counts = add_up_kinds(&stats->pass->counts.references);
    form_rows(form, "references", "references", LABELS);
    form_only_if(form, reference_counts_any(&counts));
    for (unsigned i = 1; i <= REFERENCE_KINDS; i++) {
        unsigned kind = i % REFERENCE_KINDS; /* the sum is the last */
        form_row(form, names[kind], names[kind]);
        form_cell(form, "objects", "objects", 15, "objects",
                  value_number(counts.objects[kind]));
        form_cell(form, "cleared_by_collector", "cleared by collector", 24, "objects",
                  value_number(counts.cleared[kind][CLEARED_BY_COLLECTOR]));
        form_cell(form, "cleared_by_program", "by program", 15, "objects",
                  value_number(counts.cleared[kind][CLEARED_BY_PROGRAM]));
    }
}

void stats_put(struct form *form, const struct stats *stats)
{
    put_events(form, stats);
    put_allocated(form, stats);
    put_before(form, stats);
    put_peaks(form, stats->sums->peaks);
    put_lifetimes(form, stats);
    put_early(form, stats);
    put_phases(form, stats);
    put_gini(form, &stats->sums->all);
    put_survivals(form, stats);
    put_ages(form, stats);
    put_causes(form, stats);
    put_groups(form, stats);
    put_outlived(form, stats);
    put_sharing(form, stats);
    put_death_sites(form, stats);
    put_population(form, stats);
    put_references(form, stats);
}

struct trace_origin stats_origin(const struct stats *stats)
{
    return (struct trace_origin){stats->name, stats->unfinished,
                                 stats->pass->explicit_time ? "time" : "thread",
                                 stats->assumptions};
}

/* Puts all but the rankings. */
static void put_all(struct form *form, const struct stats *stats)
{
    const struct trace_origin origin = stats_origin(stats);
    origin_put(form, &origin);
    stats_put_head(form, stats);
    assumptions_put(form, stats->assumptions);
    stats_put(form, stats);
}

/* Prints the statistics, with the rankings that `choice` asks for, and the names in `names`
 * (NULL: none); etmerlin-reports(5) has the keys. */
static void stats_print(struct print *print, enum report_format format,
                        const struct stats *stats, const struct names *names,
                        const struct ranking_choice *choice)
{
    struct form *form = form_begin(print, format, "stats-2");
    if (!form)
        return;
    put_all(form, stats);
    rankings_put(form, stats, names, choice);
    form_finish(form);
}

void stats_print_in_html(struct print *print, const struct stats *stats)
{
    struct form *form = form_begin_in_html(print, "stats-2");
    if (!form)
        return;
    put_all(form, stats);
    form_finish(form);
}

static enum status stats_begin(struct report *report, struct failure *why)
{
    struct stats *stats = report->state = calloc(1, sizeof *stats);
    return stats ? stats_init(stats, report, why) : fail_memory(why);
}

static enum status stats_add_life(struct report *report, const struct life_facts *life,
                                  struct failure *why)
{
    return stats_add(report->state, life, why);
}

static enum status stats_finish(struct report *report, struct failure *why)
{
    const struct report_settings *settings = report->material->settings;
    const struct names *names = report->material->names;
    struct print print = {.sink = report->sink, .why = why};
    struct ranking_choice choice = {
        .min_count = settings->min_count,
        .top = settings->top < SIZE_MAX ? (size_t)settings->top : SIZE_MAX,
    };
    TRY(stats_complete(report->state, report->material->marking, why));
    if (settings->stats_format == FORMAT_TEXT && settings->stats_is_brief)
        stats_print_briefly(&print, report->state, names);
    else if (settings->stats_format == FORMAT_TSV)
        stats_print_row(&print, report->state, !settings->no_header);
    else
        stats_print(&print, settings->stats_format, report->state, names, &choice);
    return print.status;
}

static void stats_release(struct report *report)
{
    if (report->state)
        stats_free(report->state);
    free(report->state);
}

#define STATS                                                                                  \
    .wants = WANT_FIRST_USES | WANT_SITES, .sums = SUMS_OF_PAIRS, .begin = stats_begin,        \
    .life = stats_add_life, .finish = stats_finish, .release = stats_release

const struct report_class stats_report = {.traits = TRAIT_NAMES | TRAIT_MARKING, STATS};
const struct report_class stats_in_short_report = {
    .traits = TRAIT_NAMES | TRAIT_MARKING | TRAIT_LIFETIMES, STATS};
