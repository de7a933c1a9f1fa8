/* SPDX-License-Identifier: MIT */
/* The statistics as a document: what is in the trace, how long objects live, why they die, and,
 * in rankings.c, which sites matter. And as a report, which gathers them from births and lives,
 * and prints them at the end in the form that is asked for. */
#include "report/stats/stats_print.h"

#include "report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Groups of `from` to `to` objects. */
struct shown_groups {
    struct stats_groups groups;
    uint64_t from, to;
    bool has_several; /* the group has several objects: one alone is in no cycle with others */
};

/* What is printed. */
struct stated {
    struct stats stats;
    const char *deaths;
    bool has_threads, has_uses, has_death_sites;
    uint64_t threads;
    uint64_t events[RECORD_KINDS]; /* in the order of record_layouts; then the sum */
    uint64_t events_in_all;
    struct stats_amount all, prior;
    struct stats_phases all_phases;
    struct live_peaks peaks;
    uint64_t prior_live;
    struct dispersion lifetimes;
    uint64_t named; /* objects that died before their last use */
    struct shown_groups groups[STATS_GROUP_CLASSES];
    size_t group_classes;
    struct value mean_live, turnover, mark_cons;
};

#define STATED(key, label, unit, member) FIGURE(key, label, unit, 0, stated, member)

static const struct figure head[] = {
    STATED("deaths", "deaths", "word", deaths),
    FIGURE_IF("threads", "threads", "count", 0, stated, threads, has_threads),
    FIGURES_END,
};

/* Names a row by a kind of record; its key is the letter of that. */
static void name_kind(struct row *row, const struct record_layout *layout)
{
    row->scratch[0] = (char)layout->kind;
    row->scratch[1] = '\0';
    row->key = row->scratch;
    row->label = record_title(row->scratch + 2, layout);
}

/* The events of each kind, then their sum. */
static bool next_event(struct row *row)
{
    const struct stated *stated = row->document;
    if (row->at > record_layout_count)
        return false;
    row->subject = stated ? &stated->events[row->at] : NULL;
    if (row->at < record_layout_count) {
        name_kind(row, &record_layouts[row->at]);
        row->is_silent = stated && stated->events[row->at] == 0;
    } else {
        row->key = row->label = "all";
    }
    row->at++;
    return true;
}

static const struct figure events[] = {
    FIGURE_SUBJECT("", "count", "count", 15),
    FIGURE_SUBJECT_PART(NULL, "", 8, stated, events_in_all),
    FIGURES_END,
};

static bool is_of_kind(unsigned kind, bool is_prior)
{
    return is_prior ? record_is_prior(kind)
                    : record_is_allocation(kind) && !record_is_prior(kind);
}

/* The objects that are allocated or, with `is_prior`, that were there before the trace: all of
 * them, then those of each kind of record. */
static bool next_kind(struct row *row, bool is_prior)
{
    const struct stated *stated = row->document;
    uint64_t at = row->at;
    while (at > 0 && at <= record_layout_count &&
           !is_of_kind(record_layouts[at - 1].kind, is_prior))
        at++;
    row->at = at + 1;
    if (at > record_layout_count)
        return false;
    row->label = "all";
    if (at > 0)
        name_kind(row, &record_layouts[at - 1]);
    if (stated) {
        const struct stats_amount *amount =
            at > 0     ? &stated->stats.allocated[record_layouts[at - 1].kind]
            : is_prior ? &stated->prior
                       : &stated->all;
        row->subject = amount;
        row->is_silent = amount->objects == 0 && (at > 0 || is_prior);
    }
    return true;
}

static bool next_allocated(struct row *row)
{
    return next_kind(row, false);
}

static bool next_prior(struct row *row)
{
    return next_kind(row, true);
}

/* Objects and bytes, and their share of `all`. */
#define AMOUNTS(all)                                                                           \
    {FIGURE("objects", "objects", "objects", 15, stats_amount, objects),                       \
     FIGURE_PART("objects_percent", "", 8, stats_amount, objects, stated, all.objects),        \
     FIGURE("bytes", "bytes", "bytes", 18, stats_amount, bytes),                               \
     FIGURE_PART("bytes_percent", "", 8, stats_amount, bytes, stated, all.bytes), FIGURES_END}

static const struct figure amounts[] = AMOUNTS(all);
static const struct figure prior_amounts[] = AMOUNTS(prior);

static const struct named_row fates[] = {
    ROW("died", "died", stated, stats.died),
    ROW("alive", "alive at the end", stated, stats.alive),
    {.key = "used_once",
     .label = "used only once",
     .subject = MEMBER(stated, stats.used_once),
     .only_if = MEMBER(stated, has_uses)},
    ROWS_END,
};

static const struct named_row prior_fates[] = {
    ROW("died", "died", stated, stats.prior_died),
    ROW("alive", "alive at the end", stated, stats.prior_alive),
    ROWS_END,
};

static const struct figure prior_live[] = {
    STATED("live_at_peak", NULL, "bytes", prior_live),
    FIGURES_END,
};

static const struct named_row peak_rows[] = {
    ROW("most_objects", "most objects", stated, peaks.most_objects),
    ROW("most_bytes", "most bytes", stated, peaks.most_bytes),
    ROWS_END,
};

static const struct figure peaks[] = {
    FIGURE("objects", "objects", "objects", 12, live_point, objects),
    FIGURE("bytes", "bytes", "bytes", 16, live_point, size),
    FIGURE("time", "at time", "time", 14, live_point, time),
    FIGURE("bytes_allocated", "bytes allocated", "bytes", 16, live_point, bytes),
    FIGURES_END,
};

#define LIFETIMES(key_, label_, unit_, member)                                                 \
    {.key = key_,                                                                              \
     .label = label_,                                                                          \
     .unit = unit_,                                                                            \
     .subject = MEMBER(stated, stats.member),                                                  \
     .only_if = MEMBER(stated, stats.member.count)}

static const struct named_row lifetime_rows[] = {
    LIFETIMES("lifetime_ticks", "lifetime, ticks", "ticks", ticks),
    LIFETIMES("lifetime_bytes", "lifetime, bytes", "bytes", bytes),
    LIFETIMES("drag_ticks", "drag, ticks", "ticks", drag),
    ROWS_END,
};

static const struct figure early[] = {
    FIGURE_IF("objects", NULL, "objects", 0, stated, stats.died_before_use.objects, has_uses),
    FIGURE_IF("bytes", NULL, "bytes", 0, stated, stats.died_before_use.bytes, has_uses),
    FIGURE_IF(NULL, "died before their last use, so without drag", "objects", 0, stated,
              stats.died_before_use.objects, named),
    FIGURES_END,
};

static const struct figure named[] = {
    FIGURE_SUBJECT("", NULL, "id", 0),
    FIGURE_SUBJECT(NULL, "", "id", 0),
    FIGURES_END,
};

static const struct named_row phase_rows[] = {
    ROW("died", "of what died", stated, stats.phases[0]),
    ROW("alive", "alive at the end", stated, stats.phases[1]),
    ROW("all", "of all", stated, all_phases),
    ROWS_END,
};

static const struct figure phases[] = {
    FIGURE("lag", "before first use", "bytes_bytes", 0, stats_phases, lag),
    FIGURE("use", "in use", "bytes_bytes", 0, stats_phases, use),
    FIGURE("drag", "after last use", "bytes_bytes", 0, stats_phases, drag),
    FIGURE("void", "never used", "bytes_bytes", 0, stats_phases, voids),
    FIGURES_END,
};

static const struct figure gini[] = {
    STATED("bytes", "by bytes", "fraction", lifetimes.by_bytes),
    STATED("objects", "by objects", "fraction", lifetimes.by_objects),
    FIGURES_END,
};

/* Names a row by the amount of allocation, in text and as a key. */
static void name_survival(struct row *row)
{
    static const char *const keys[STATS_SURVIVALS] = {"4k", "32k", "256k", "1m", "4m", "16m"};
    const struct stats_survival *survival = row->subject;
    row->key = keys[row->at - 1];
    bool is_large = survival->limit >= 1024 * 1024;
    snprintf(row->scratch, ROW_SCRATCH, "of %4" PRIu64 " %s",
             survival->limit >> (is_large ? 20 : 10), is_large ? "MiB" : "KiB");
    row->label = row->scratch;
}

#define SURVIVAL(key, label, unit, width, member)                                              \
    FIGURE(key, label, unit, width, stats_survival, member)

static const struct figure survival[] = {
    SURVIVAL("bytes_allocated", NULL, "bytes", 0, limit),
    SURVIVAL("eligible.objects", NULL, "objects", 0, eligible.objects),
    SURVIVAL("eligible.bytes", NULL, "bytes", 0, eligible.bytes),
    SURVIVAL("survived.objects", "objects", "objects", 15, survived.objects),
    FIGURE_SHARE(NULL, "", 8, stats_survival, survived.objects, eligible.objects),
    SURVIVAL("survived.bytes", "bytes", "bytes", 18, survived.bytes),
    FIGURE_SHARE("objects_percent", NULL, 0, stats_survival, survived.objects,
                 eligible.objects),
    FIGURE_SHARE("bytes_percent", "", 8, stats_survival, survived.bytes, eligible.bytes),
    FIGURES_END,
};

static void name_cause(struct row *row)
{
    row->key = row->label = cause_name((enum cause)(row->at - 1));
}

static void name_groups(struct row *row)
{
    const struct shown_groups *shown = row->subject;
    int length = snprintf(row->scratch, ROW_SCRATCH, "%" PRIu64, shown->from);
    if (shown->from != shown->to)
        snprintf(row->scratch + length, ROW_SCRATCH - (size_t)length, " to %" PRIu64,
                 shown->to);
    row->label = row->scratch;
}

#define GROUPS(key, label, unit, width, member)                                                \
    FIGURE(key, label, unit, width, shown_groups, member)

static const struct figure groups[] = {
    GROUPS("from", NULL, "objects", 0, from),
    GROUPS("to", NULL, "objects", 0, to),
    GROUPS("groups", "groups", "count", 12, groups.groups),
    GROUPS("objects", "objects", "objects", 12, groups.amount.objects),
    GROUPS("bytes", "bytes", "bytes", 18, groups.amount.bytes),
    FIGURE_IF("cyclic", "cyclic", "count", 8, shown_groups, groups.cyclic, has_several),
    FIGURES_END,
};

static const struct named_row age_rows[] = {
    ROW("young", "below 64 KiB", stated, stats.ages[AGE_YOUNG]),
    ROW("older", "64 KiB or more", stated, stats.ages[AGE_OLDER]),
    ROW("alive", "alive at the end", stated, stats.ages[AGE_ALIVE]),
    ROWS_END,
};

static void name_outlived(struct row *row)
{
    enum outlived outlived = (enum outlived)(row->at - 1);
    const struct stats_amount *amount = row->subject;
    row->key = outlived_key(outlived);
    row->label = outlived_label(outlived);
    row->is_silent = amount && amount->objects == 0 && outlived != OUTLIVED_0;
}

static const struct named_row sharing_rows[] = {
    ROW("one", "one thread", stated, stats.sharing[false]),
    ROW("several", "several threads", stated, stats.sharing[true]),
    ROWS_END,
};

static void name_share(struct row *row)
{
    unsigned percent = death_share_percents[row->at - 1];
    int length = snprintf(row->scratch, ROW_SCRATCH, "%u_percent", percent);
    row->key = row->scratch;
    row->label = row->scratch + length + 1;
    snprintf(row->scratch + length + 1, ROW_SCRATCH / 2, "%u%% of the dead bytes", percent);
}

static const struct figure shares[] = {
    FIGURE("methods", "methods", "count", 15, death_share, methods),
    FIGURE("contexts", "contexts", "count", 26, death_share, contexts),
    FIGURES_END,
};

/* Figures that the authors of the DaCapo benchmarks also publish have their names. */
#define POPULATION(key, label, unit, member) STATED(key, label, unit, stats.population.member)
#define SIZES(key, label, member)                                                              \
    FIGURE_IF(key, label, "bytes", 0, stated, stats.population.sizes.member,                   \
              stats.population.sizes.count)

static const struct figure population_figures[] = {
    POPULATION("AOA", "AOA, average size", "bytes", sizes),
    SIZES("AOS", "AOS, 10% at most", p10),
    SIZES("AOM", "AOM, median size", median),
    SIZES("AOL", "AOL, 90% at most", p90),
    STATED("mean_live_bytes", "live bytes, on average", "bytes", mean_live),
    POPULATION("smallest_heap_bytes", "smallest heap, bytes", "bytes", smallest_heap),
    STATED("GTO", "GTO, memory turnover", "ratio", turnover),
    STATED("mark_cons_2x", "mark/cons, heap twice that", "ratio", mark_cons),
    FIGURES_END,
};

enum { LABELS = 26, SHORT_LABELS = 18, CELLS = 19, NUMBERS = 15, TEN_THOUSAND = 10000 };

const struct section stats_head_sections[] = {
    HEAD(head),
    SECTIONS_END,
};

const struct section stats_sections[] = {
    SECTION(ROWS, "events", "events", LABELS, 0, events, .next = next_event),
    SECTION(ROWS, "allocated", "allocated", LABELS, 0, amounts, .next = next_allocated),
    SECTION(ROWS, "", NULL, LABELS, 0, amounts, .rows = fates),
    SECTION(ROWS, "before", "before the trace", LABELS, 0, prior_amounts, .next = next_prior),
    SECTION(ROWS, "before", NULL, LABELS, 0, prior_amounts, .rows = prior_fates,
            .shown_if = DOCUMENT_MEMBER(stated, prior.objects)),
    SECTION(LINES, "before", NULL, 0, 0, prior_live),
    SECTION(ROWS, "", "live heap", SHORT_LABELS, 0, peaks, .rows = peak_rows),
    SECTION(UPRIGHT, "", "of what died", SHORT_LABELS, CELLS, distribution_figures,
            .rows = lifetime_rows),
    SECTION(LINES, "died_before_use", NULL, SHORT_LABELS, CELLS, early),
    SECTION(LIST, "died_before_use.first", NULL, SHORT_LABELS, 0, named,
            .array = ARRAY_PART(stated, stats.named, named)),
    SECTION(UPRIGHT, "phases", "bytes times bytes", SHORT_LABELS, CELLS, phases,
            .rows = phase_rows, .only_if = MEMBER(stated, has_uses)),
    SECTION(LINES, "gini", "Gini coefficient of lifetimes", LABELS, NUMBERS, gini),
    SECTION(LIST, "survival", "alive after an allocation", LABELS, 0, survival,
            .array = ARRAY(stated, stats.survivals), .name = name_survival),
    SECTION(ROWS, "age_at_death", "age at death", LABELS, 0, amounts, .rows = age_rows,
            .only_if = MEMBER(stated, stats.bytes_in_all)),
    SECTION(ROWS, "causes", "causes of death", LABELS, 0, amounts,
            .array = ARRAY(stated, stats.causes), .name = name_cause,
            .shown_if = MEMBER(stats_amount, objects),
            .only_if = MEMBER(stated, stats.assumptions)),
    SECTION(LIST, "groups", "died together", LABELS, 0, groups,
            .array = ARRAY_PART(stated, groups, group_classes), .name = name_groups,
            .only_if = MEMBER(stated, stats.assumptions)),
    SECTION(ROWS, "frames_outlived", "frames outlived", LABELS, 0, amounts,
            .array = ARRAY(stated, stats.outlived), .name = name_outlived),
    SECTION(ROWS, "threads_naming", "named by", LABELS, 0, amounts, .rows = sharing_rows,
            .only_if = MEMBER(stated, has_threads)),
    SECTION(ROWS, "death_sites", "where bytes die", LABELS, 0, shares,
            .array = ARRAY(stated, stats.shares), .name = name_share,
            .only_if = MEMBER(stated, has_death_sites)),
    SECTION(LINES, "population", "population", LABELS, NUMBERS, population_figures),
    SECTIONS_END,
};

static void set_events(struct stated *stated)
{
    for (size_t i = 0; i < record_layout_count; i++) {
        stated->events[i] = stats_events(&stated->stats, record_layouts[i].kind);
        stated->events_in_all += stated->events[i];
    }
    stated->events[record_layout_count] = stated->events_in_all;
}

static void set_groups(struct stated *stated)
{
    for (unsigned i = 0; i < STATS_GROUP_CLASSES; i++) {
        uint64_t most = UINT64_C(1) << i;
        if (stated->stats.groups[i].groups > 0)
            stated->groups[stated->group_classes++] = (struct shown_groups){
                stated->stats.groups[i], i == 0 ? 1 : most / 2 + 1, most, i > 0};
    }
}

/* Live bytes are whole: hundredths of a product of two large numbers would not fit. */
static void set_population(struct stated *stated)
{
    const struct population *population = &stated->stats.population;
    if (population->bytes_in_all > 0)
        stated->mean_live =
            value_number(figures_whole_mean(population->space_time, population->bytes_in_all));
    stated->turnover = value_mean(population->asked, population->smallest_heap);
    if (population->asked > 0)
        stated->mark_cons = (struct value){
            .kind = VALUE_TEN_THOUSANDTHS,
            .number = figures_whole_mean(population->marked * TEN_THOUSAND, population->asked)};
}

struct stated *stats_state(const struct stats *stats)
{
    const struct site_sums *sums = stats->sums;
    struct stated *stated = calloc(1, sizeof *stated);
    if (!stated)
        return NULL;
    *stated = (struct stated){
        .stats = *stats,
        .deaths = stats->assumptions ? "computed" : "recorded",
        .has_threads = !stats->pass->explicit_time,
        .has_uses = stats_has_uses(stats),
        .has_death_sites = sums->has_pairs && stats->shares[0].methods > 0,
        .threads = frames_thread_count(stats->pass->heap.frames),
        .all = stats_allocated(stats),
        .prior = stats_prior(stats),
        .all_phases = stats_all_phases(stats),
        .peaks = *sums->peaks,
        .prior_live = sums->prior_live,
        .lifetimes = sums->all,
    };
    if (!stated->has_uses)
        stated->stats.drag.count = 0;
    else if (stats->died_before_use.objects < STATS_NAMED)
        stated->named = stats->died_before_use.objects;
    else
        stated->named = STATS_NAMED;
    set_events(stated);
    set_groups(stated);
    set_population(stated);
    return stated;
}

struct trace_origin stats_origin(const struct stats *stats)
{
    return (struct trace_origin){stats->name, stats->unfinished,
                                 stats->pass->explicit_time ? "time" : "thread",
                                 stats->assumptions};
}

/* Prints all but the rankings. */
static void print_sections(struct document *document, const struct stats *stats)
{
    const struct trace_origin origin = stats_origin(stats);
    struct stated *stated = stats_state(stats);
    if (!stated) {
        document->print->status = fail_memory(document->print->why);
        return;
    }
    document_print(document, origin_sections, &origin);
    document_print(document, stats_head_sections, stated);
    document_print(document, assumption_sections, &origin);
    document_print(document, stats_sections, stated);
    free(stated);
}

/* Prints the statistics, with the rankings that `choice` asks for, and the names in `names`
 * (NULL: none); etmerlin-reports(5) has the keys. */
static void stats_print(struct print *print, enum report_format format,
                        const struct stats *stats, const struct names *names,
                        const struct ranking_choice *choice)
{
    struct document document = document_begin(print, format, "stats-2");
    print_sections(&document, stats);
    rankings_print(&document, stats, names, choice);
    document_end(&document);
}

void stats_print_in_html(struct print *print, const struct stats *stats)
{
    struct document document = document_begin(print, FORMAT_JSON, "stats-2");
    document.is_in_html = true;
    print_sections(&document, stats);
    document_end(&document);
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
    TRY(stats_complete(report->state, why));
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

const struct report_class stats_report = {.wants = WANT_FIRST_USES | WANT_SITES,
                                          .shows_names = true,
                                          .sums = SUMS_OF_PAIRS,
                                          .begin = stats_begin,
                                          .life = stats_add_life,
                                          .finish = stats_finish,
                                          .release = stats_release};
