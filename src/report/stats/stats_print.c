/* SPDX-License-Identifier: MIT */
/* The statistics as a document: what is in the trace, how long objects live, why they die, and,
 * in rankings.c, which sites matter. */
#include "report/stats/stats_print.h"

#include "report/form/common.h"
#include "report/stats/population_print.h"
#include "report/stats/rankings.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Objects, and what they are a share of. */
struct amount_row {
    struct stats_amount amount, whole;
};

/* What is printed. */
struct stated {
    const struct stats *stats;
    struct stats_phases all_phases;
    struct amount_row *current;
};

static const struct stats *stats_of(const struct row *row)
{
    return ((const struct stated *)row->document)->stats;
}

static bool is_computed(const void *document)
{
    return ((const struct stated *)document)->stats->assumptions;
}

static bool has_uses(const void *document)
{
    return stats_has_uses(((const struct stated *)document)->stats);
}

static struct value deaths_of(struct row *row)
{
    return value_text(stats_of(row)->assumptions ? "computed" : "recorded");
}

static struct value threads_of(struct row *row)
{
    const struct history *history = stats_of(row)->history;
    return value_number_if(!history->explicit_time, frames_thread_count(history->heap.frames));
}

static const struct figure head[] = {
    FIGURE_OF("deaths", "deaths", "word", 0, deaths_of),
    FIGURE_OF("threads", "threads", "count", 0, threads_of),
    FIGURES_END,
};

/* The letter of a kind of record is its key. */
static void name_kind(struct row *row, const struct record_layout *layout)
{
    row->scratch[0] = (char)layout->kind;
    row->scratch[1] = '\0';
    row->key = row->scratch;
    row->label = record_title(row->scratch + 2, layout);
}

static uint64_t all_events(const struct stats *stats)
{
    uint64_t all = 0;
    for (size_t i = 0; i < record_layout_count; i++)
        all += stats_events(stats, record_layouts[i].kind);
    return all;
}

/* The events of the row before row->at: of a kind, or, after the last kind, all. */
static uint64_t row_events(const struct row *row)
{
    const struct stats *stats = stats_of(row);
    return row->at > record_layout_count
               ? all_events(stats)
               : stats_events(stats, record_layouts[row->at - 1].kind);
}

static bool next_event(struct row *row)
{
    bool is_kind = row->at < record_layout_count;
    if (row->at++ > record_layout_count)
        return false;
    if (is_kind)
        name_kind(row, &record_layouts[row->at - 1]);
    else
        row->key = row->label = "all";
    row->is_silent = is_kind && row->document && row_events(row) == 0;
    return true;
}

static struct value events_of(struct row *row)
{
    return value_number(row_events(row));
}

static struct value events_share_of(struct row *row)
{
    return value_share(row_events(row), all_events(stats_of(row)));
}

static const struct figure events[] = {
    FIGURE_OF("", "count", "count", 15, events_of),
    FIGURE_OF(NULL, "", "percent", 8, events_share_of),
    FIGURES_END,
};

/* Sets the subject of a row of objects, where there is a document. */
static void set_amount(struct row *row, const struct stats_amount *amount,
                       const struct stats_amount *whole)
{
    struct amount_row *current = ((const struct stated *)row->document)->current;
    *current = (struct amount_row){*amount, *whole};
    row->subject = current;
}

static bool is_of_kind(unsigned kind, bool is_prior)
{
    return is_prior ? record_is_prior(kind)
                    : record_is_allocation(kind) && !record_is_prior(kind);
}

/* All objects that are allocated, or that were there before the trace; then those of each kind
 * of record. */
static bool next_kind(struct row *row, bool is_prior)
{
    struct stats_amount all = {0};
    if (row->document)
        all = is_prior ? stats_prior(stats_of(row)) : stats_allocated(stats_of(row));
    const struct stats_amount *amount = &all;
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
    if (row->document) {
        if (at > 0)
            amount = &stats_of(row)->allocated[record_layouts[at - 1].kind];
        set_amount(row, amount, &all);
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

static bool next_fate(struct row *row)
{
    static const char *const keys[] = {"died", "alive", "used_once"};
    static const char *const labels[] = {"died", "alive at the end", "used only once"};
    if (row->at == sizeof keys / sizeof *keys)
        return false;
    row->key = keys[row->at];
    row->label = labels[row->at];
    if (row->document) {
        const struct stats *stats = stats_of(row);
        const struct stats_amount *fates[] = {&stats->died, &stats->alive, &stats->used_once};
        struct stats_amount all = stats_allocated(stats);
        set_amount(row, fates[row->at], &all);
        row->is_missing = row->at == 2 && !stats_has_uses(stats);
    }
    row->at++;
    return true;
}

static bool next_prior_fate(struct row *row)
{
    if (row->at == 2)
        return false;
    row->key = row->at == 0 ? "died" : "alive";
    row->label = row->at == 0 ? "died" : "alive at the end";
    if (row->document) {
        const struct stats *stats = stats_of(row);
        struct stats_amount all = stats_prior(stats);
        set_amount(row, row->at == 0 ? &stats->prior_died : &stats->prior_alive, &all);
        row->is_silent = all.objects == 0;
    }
    row->at++;
    return true;
}

static const struct figure amounts[] = {
    FIGURE("objects", "objects", "objects", 15, amount_row, amount.objects),
    FIGURE_SHARE("objects_percent", "", 8, amount_row, amount.objects, whole.objects),
    FIGURE("bytes", "bytes", "bytes", 18, amount_row, amount.bytes),
    FIGURE_SHARE("bytes_percent", "", 8, amount_row, amount.bytes, whole.bytes),
    FIGURES_END,
};

static struct value prior_live_of(struct row *row)
{
    return value_number(stats_of(row)->sums->prior_live);
}

static const struct figure prior_live[] = {
    FIGURE_OF("live_at_peak", NULL, "bytes", 0, prior_live_of),
    FIGURES_END,
};

static bool next_peak(struct row *row)
{
    if (row->at == 2)
        return false;
    row->key = row->at == 0 ? "most_objects" : "most_bytes";
    row->label = row->at == 0 ? "most objects" : "most bytes";
    if (row->document) {
        const struct live_peaks *peaks = &stats_of(row)->sums->peaks;
        row->subject = row->at == 0 ? &peaks->most_objects : &peaks->most_bytes;
    }
    row->at++;
    return true;
}

static const struct figure peaks[] = {
    FIGURE("objects", "objects", "objects", 12, live_point, objects),
    FIGURE("bytes", "bytes", "bytes", 16, live_point, size),
    FIGURE("time", "at time", "time", 14, live_point, time),
    FIGURE("bytes_allocated", "bytes allocated", "bytes", 16, live_point, bytes),
    FIGURES_END,
};

static bool next_lifetime(struct row *row)
{
    static const char *const keys[] = {"lifetime_ticks", "lifetime_bytes", "drag_ticks"};
    static const char *const labels[] = {"lifetime, ticks", "lifetime, bytes", "drag, ticks"};
    if (row->at == sizeof keys / sizeof *keys)
        return false;
    row->key = keys[row->at];
    row->label = labels[row->at];
    row->unit = row->at == 1 ? "bytes" : "ticks";
    if (row->document) {
        const struct stats *stats = stats_of(row);
        const struct distribution *all[] = {&stats->ticks, &stats->bytes, &stats->drag};
        row->subject = all[row->at];
        row->is_missing = all[row->at]->count == 0 || (row->at == 2 && !stats_has_uses(stats));
    }
    row->at++;
    return true;
}

static struct value early_of(struct row *row, uint64_t number)
{
    return value_number_if(stats_has_uses(stats_of(row)), number);
}

static struct value early_objects_of(struct row *row)
{
    return early_of(row, stats_of(row)->died_before_use.objects);
}

static struct value early_bytes_of(struct row *row)
{
    return early_of(row, stats_of(row)->died_before_use.bytes);
}

static struct value shown_early_of(struct row *row)
{
    const struct stats *stats = stats_of(row);
    if (!stats_has_uses(stats) || stats->died_before_use.objects == 0)
        return NO_VALUE;
    return value_number(stats->died_before_use.objects);
}

static const struct figure early[] = {
    FIGURE_OF("objects", NULL, "objects", 0, early_objects_of),
    FIGURE_OF("bytes", NULL, "bytes", 0, early_bytes_of),
    FIGURE_OF(NULL, "died before their last use, so without drag", "objects", 0,
              shown_early_of),
    FIGURES_END,
};

static bool next_early(struct row *row)
{
    const struct stats *stats = stats_of(row);
    if (!stats_has_uses(stats) || row->at == STATS_NAMED ||
        row->at == stats->died_before_use.objects)
        return false;
    row->subject = &stats->named[row->at++];
    return true;
}

static const struct figure named[] = {
    FIGURE_SUBJECT("", NULL, "id", 0, MEMBER_NUMBER),
    FIGURE_SUBJECT(NULL, "", "id", 0, MEMBER_NUMBER),
    FIGURES_END,
};

static bool next_phases(struct row *row)
{
    static const char *const keys[] = {"died", "alive", "all"};
    static const char *const labels[] = {"of what died", "alive at the end", "of all"};
    if (row->at == sizeof keys / sizeof *keys)
        return false;
    row->key = keys[row->at];
    row->label = labels[row->at];
    if (row->document)
        row->subject = row->at == 2 ? &((const struct stated *)row->document)->all_phases
                                    : &stats_of(row)->phases[row->at];
    row->at++;
    return true;
}

static const struct figure phases[] = {
    FIGURE("lag", "before first use", "bytes_bytes", 0, stats_phases, lag),
    FIGURE("use", "in use", "bytes_bytes", 0, stats_phases, use),
    FIGURE("drag", "after last use", "bytes_bytes", 0, stats_phases, drag),
    FIGURE("void", "never used", "bytes_bytes", 0, stats_phases, voids),
    FIGURES_END,
};

static struct value gini_bytes_of(struct row *row)
{
    return value_gini(&stats_of(row)->sums->all.by_bytes);
}

static struct value gini_objects_of(struct row *row)
{
    return value_gini(&stats_of(row)->sums->all.by_objects);
}

static const struct figure gini[] = {
    FIGURE_OF("bytes", "by bytes", "fraction", 0, gini_bytes_of),
    FIGURE_OF("objects", "by objects", "fraction", 0, gini_objects_of),
    FIGURES_END,
};

static bool next_survival(struct row *row)
{
    if (row->at == STATS_SURVIVALS)
        return false;
    const struct stats_survival *survival = &stats_of(row)->survivals[row->at++];
    bool is_large = survival->limit >= 1024 * 1024;
    snprintf(row->scratch, ROW_SCRATCH, "of %4" PRIu64 " %s",
             survival->limit >> (is_large ? 20 : 10), is_large ? "MiB" : "KiB");
    row->label = row->scratch;
    row->subject = survival;
    return true;
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

static bool next_cause(struct row *row)
{
    if (row->at == CAUSE_COUNT)
        return false;
    row->key = row->label = cause_name((enum cause)row->at);
    if (row->document) {
        const struct stats *stats = stats_of(row);
        struct stats_amount all = stats_allocated(stats);
        set_amount(row, &stats->causes[row->at], &all);
        row->is_silent = stats->causes[row->at].objects == 0;
    }
    row->at++;
    return true;
}

/* Of how many objects the groups of a row are. */
static uint64_t most_of(const struct row *row)
{
    return UINT64_C(1) << (row->at - 1);
}

static uint64_t least_of(const struct row *row)
{
    return row->at == 1 ? 1 : most_of(row) / 2 + 1;
}

static bool next_groups(struct row *row)
{
    const struct stats *stats = stats_of(row);
    while (row->at < STATS_GROUP_CLASSES && stats->groups[row->at].groups == 0)
        row->at++;
    if (row->at == STATS_GROUP_CLASSES)
        return false;
    row->subject = &stats->groups[row->at++];
    if (least_of(row) == most_of(row))
        snprintf(row->scratch, ROW_SCRATCH, "%" PRIu64, most_of(row));
    else
        snprintf(row->scratch, ROW_SCRATCH, "%" PRIu64 " to %" PRIu64, least_of(row),
                 most_of(row));
    row->label = row->scratch;
    return true;
}

static struct value from_of(struct row *row)
{
    return value_number(least_of(row));
}

static struct value to_of(struct row *row)
{
    return value_number(most_of(row));
}

/* What died alone has no cycle with others. */
static struct value cyclic_of(struct row *row)
{
    return value_number_if(row->at > 1, ((const struct stats_groups *)row->subject)->cyclic);
}

static const struct figure groups[] = {
    FIGURE_OF("from", NULL, "objects", 0, from_of),
    FIGURE_OF("to", NULL, "objects", 0, to_of),
    FIGURE("groups", "groups", "count", 12, stats_groups, groups),
    FIGURE("objects", "objects", "objects", 12, stats_groups, amount.objects),
    FIGURE("bytes", "bytes", "bytes", 18, stats_groups, amount.bytes),
    FIGURE_OF("cyclic", "cyclic", "count", 8, cyclic_of),
    FIGURES_END,
};

static bool next_outlived(struct row *row)
{
    if (row->at == OUTLIVED_CLASSES)
        return false;
    row->key = outlived_key((enum outlived)row->at);
    row->label = outlived_label((enum outlived)row->at);
    if (row->document) {
        const struct stats *stats = stats_of(row);
        struct stats_amount all = stats_allocated(stats);
        set_amount(row, &stats->outlived[row->at], &all);
        row->is_silent = row->at != OUTLIVED_0 && stats->outlived[row->at].objects == 0;
    }
    row->at++;
    return true;
}

static bool has_threads(const void *document)
{
    return !((const struct stated *)document)->stats->history->explicit_time;
}

static bool next_sharing(struct row *row)
{
    if (row->at == 2)
        return false;
    row->key = row->at == 0 ? "one" : "several";
    row->label = row->at == 0 ? "one thread" : "several threads";
    if (row->document) {
        const struct stats *stats = stats_of(row);
        struct stats_amount all = stats_allocated(stats);
        set_amount(row, &stats->sharing[row->at], &all);
    }
    row->at++;
    return true;
}

static bool has_death_sites(const void *document)
{
    const struct stats *stats = ((const struct stated *)document)->stats;
    return stats->sums->has_pairs && stats->shares[0].methods > 0;
}

static bool next_share(struct row *row)
{
    if (row->at == DEATH_SHARES)
        return false;
    if (row->document)
        row->subject = &stats_of(row)->shares[row->at];
    snprintf(row->scratch, ROW_SCRATCH, "%u_percent", death_share_percents[row->at]);
    row->key = row->scratch;
    char *label = row->scratch + strlen(row->scratch) + 1;
    snprintf(label, ROW_SCRATCH / 2, "%u%% of the dead bytes", death_share_percents[row->at]);
    row->label = label;
    row->at++;
    return true;
}

static const struct figure shares[] = {
    FIGURE("methods", "methods", "count", 15, death_share, methods),
    FIGURE("contexts", "contexts", "count", 26, death_share, contexts),
    FIGURES_END,
};

enum { LABELS = 26, SHORT_LABELS = 18, CELLS = 19 };

#define ROWS(key_, title_, figures_, next_)                                                    \
    {.form = SECTION_ROWS,                                                                     \
     .key = key_,                                                                              \
     .title = title_,                                                                          \
     .width = LABELS,                                                                          \
     .figures = figures_,                                                                      \
     .next = next_}
#define UPRIGHT(key_, title_, figures_, next_, exists_)                                        \
    {.form = SECTION_UPRIGHT,                                                                  \
     .key = key_,                                                                              \
     .title = title_,                                                                          \
     .width = SHORT_LABELS,                                                                    \
     .cell = CELLS,                                                                            \
     .figures = figures_,                                                                      \
     .next = next_,                                                                            \
     .exists = exists_}

const struct section stats_head_sections[] = {
    {.form = SECTION_HEAD, .key = "", .width = HEAD_WIDTH, .figures = head},
    {.figures = NULL},
};

const struct section stats_sections[] = {
    ROWS("events", "events", events, next_event),
    ROWS("allocated", "allocated", amounts, next_allocated),
    ROWS("", NULL, amounts, next_fate),
    ROWS("before", "before the trace", amounts, next_prior),
    ROWS("before", NULL, amounts, next_prior_fate),
    {.form = SECTION_LINES, .key = "before", .figures = prior_live},
    {.form = SECTION_ROWS,
     .key = "",
     .title = "live heap",
     .width = SHORT_LABELS,
     .figures = peaks,
     .next = next_peak},
    UPRIGHT("", "of what died", distribution_figures, next_lifetime, NULL),
    {.form = SECTION_LINES,
     .key = "died_before_use",
     .width = SHORT_LABELS,
     .cell = CELLS,
     .figures = early},
    {.form = SECTION_LIST,
     .key = "died_before_use.first",
     .width = SHORT_LABELS,
     .figures = named,
     .next = next_early},
    UPRIGHT("phases", "bytes times bytes", phases, next_phases, has_uses),
    {.form = SECTION_LINES,
     .key = "gini",
     .title = "Gini coefficient of lifetimes",
     .width = LABELS,
     .cell = 15,
     .figures = gini},
    {.form = SECTION_LIST,
     .key = "survival",
     .title = "alive after an allocation",
     .width = LABELS,
     .figures = survival,
     .next = next_survival},
    {.form = SECTION_ROWS,
     .key = "causes",
     .title = "causes of death",
     .width = LABELS,
     .figures = amounts,
     .next = next_cause,
     .exists = is_computed},
    {.form = SECTION_LIST,
     .key = "groups",
     .title = "died together",
     .width = LABELS,
     .figures = groups,
     .next = next_groups,
     .exists = is_computed},
    ROWS("frames_outlived", "frames outlived", amounts, next_outlived),
    {.form = SECTION_ROWS,
     .key = "threads_naming",
     .title = "named by",
     .width = LABELS,
     .figures = amounts,
     .next = next_sharing,
     .exists = has_threads},
    {.form = SECTION_ROWS,
     .key = "death_sites",
     .title = "where bytes die",
     .width = LABELS,
     .figures = shares,
     .next = next_share,
     .exists = has_death_sites},
    {.figures = NULL},
};

void stats_print(struct print *print, enum report_format format, const struct stats *stats,
                 const struct names *names, const struct ranking_choice *choice)
{
    struct amount_row current;
    const struct stated stated = {stats, stats_all_phases(stats), &current};
    const struct trace_origin origin = {stats->name, stats->unfinished,
                                        stats->history->explicit_time ? "time" : "thread",
                                        stats->assumptions};
    struct document document = document_begin(print, format, "stats-2");
    document_print(&document, origin_sections, &origin);
    document_print(&document, stats_head_sections, &stated);
    document_print(&document, assumption_sections, &origin);
    document_print(&document, stats_sections, &stated);
    document_print(&document, population_sections, &stats->population);
    rankings_print(&document, stats, names, choice);
    document_end(&document);
}
