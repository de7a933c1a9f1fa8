/* SPDX-License-Identifier: MIT */
/* The match as a document: what was compared with what, the sequences, the lifetimes of pairs,
 * the sites, and what sites of A say of B. */
#include "report/match/match.h"

#include "base/number.h"
#include "report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* An allocation, in words. */
struct shown_allocation {
    const char *type, *method; /* in texts */
    uint64_t size;
    char texts[2][WORD_SIZE];
};

/* A pair of threads. */
struct shown_pair {
    struct thread_pair pair;
    struct run_thread threads[RUNS]; /* zero: there is none */
    struct shown_allocation differences[RUNS];
};

struct shown_life {
    struct longer_life life;
    struct shown_allocation allocation;
};

struct shown_site {
    struct match_site site;
    const char *type, *context;
    struct value distance, p_value;
    char text[WORD_SIZE]; /* of the type */
};

union current {
    struct shown_pair pair;
    struct shown_life life;
    struct shown_site site;
};

/* What is printed. */
struct matched {
    struct run_match match;
    const char *a, *a_unfinished;
    const char *by, *reason; /* what types and methods are compared by, and why */
    const char *deaths[RUNS];
    bool is_whole;
    struct shown_run {
        struct run run;
        uint64_t first, paired, paired_bytes;
    } runs[RUNS];
    struct shown_lifetimes {
        struct paired_lifetimes pairs;
        uint64_t same;
    } lifetimes[MATCH_CLOCKS];
    uint64_t unfreed; /* bytes */
    uint64_t threshold, purity;
    uint64_t false_positives, short_bytes;
    const struct match_site *sites; /* all of them */
    size_t site_count;
    union current *current; /* the row of a list */
    char **note;            /* the first difference of a pair of threads; match_print owns it */
    struct print *print;    /* fails if there is no memory for a note */
};

/* Puts the allocation with a number in words. */
static void put_in_words(const struct matched *matched, uint32_t number,
                         struct shown_allocation *shown)
{
    const struct vocabulary *vocabulary = &matched->match.common->vocabulary;
    struct allocation_key key = vocabulary_key_of(vocabulary, number);
    shown->type = vocabulary_show(vocabulary, key.type, shown->texts[0]);
    shown->method = vocabulary_show(vocabulary, key.method, shown->texts[1]);
    shown->size = key.size;
}

/* What was compared. */

static struct value shown_by_of(struct row *row)
{
    const struct matched *matched = row->subject;
    snprintf(row->scratch, ROW_SCRATCH, "types and methods by %s: %s", matched->by,
             matched->reason);
    return value_text(row->scratch);
}

static struct value shown_deaths_of(struct row *row)
{
    const struct matched *matched = row->subject;
    snprintf(row->scratch, ROW_SCRATCH, "%s in A, %s in B", matched->deaths[RUN_A],
             matched->deaths[RUN_B]);
    return value_text(row->scratch);
}

#define MATCHED(key, label, unit, member) FIGURE(key, label, unit, 0, matched, member)

static const struct figure compared_figures[] = {
    MATCHED("a", "A", "name", a),
    MATCHED("a_unfinished", "unfinished", "text", a_unfinished),
    MATCHED("compared_by", NULL, "word", by),
    MATCHED("reason", NULL, "text", reason),
    FIGURE_OF(NULL, "compared", "text", 0, shown_by_of),
    MATCHED("a_deaths", NULL, "word", deaths[RUN_A]),
    MATCHED("b_deaths", NULL, "word", deaths[RUN_B]),
    FIGURE_OF(NULL, "deaths", "text", 0, shown_deaths_of),
    FIGURES_END,
};

const struct section match_compared_sections[] = {
    HEAD(compared_figures),
    SECTIONS_END,
};

static const struct figure verdict_figures[] = {
    MATCHED("matches", "matches", "flag", is_whole),
    FIGURES_END,
};

/* The two runs. */

static const struct named_row run_rows[] = {
    ROW("a", "A", matched, runs[RUN_A]),
    ROW("b", "B", matched, runs[RUN_B]),
    ROWS_END,
};

#define RUN(key, label, unit, member) FIGURE(key, label, unit, 0, shown_run, member)

static const struct figure run_figures[] = {
    RUN("threads", "threads", "threads", run.seen_threads),
    RUN("allocations", "allocations", "objects", run.allocations),
    RUN("bytes", "bytes", "bytes", run.bytes),
    RUN("survivors", "survivors", "objects", run.survivors),
    RUN("survivor_bytes", "  bytes", "bytes", run.survivor_bytes),
    RUN("first", "equal at first", "objects", first),
    RUN("paired", "paired", "objects", paired),
    FIGURE_SHARE("paired_percent", "", 0, shown_run, paired, run.allocations),
    RUN("paired_bytes", "  bytes", "bytes", paired_bytes),
    FIGURE_SHARE("paired_bytes_percent", "", 0, shown_run, paired_bytes, run.bytes),
    FIGURES_END,
};

/* Lifetimes of pairs. */

static const struct named_row clock_rows[] = {
    ROW("program", "of the program", matched, lifetimes[CLOCK_PROGRAM]),
    ROW("thread", "of the thread", matched, lifetimes[CLOCK_THREAD]),
    ROWS_END,
};

#define PAIRS(key, label, unit, member)                                                        \
    FIGURE(key, label, unit, 0, shown_lifetimes, pairs.member)
#define PAIRS_SHARE(key, label, member)                                                        \
    FIGURE_SHARE(key, label, 0, shown_lifetimes, member, pairs.pairs)

static const struct figure lifetime_figures[] = {
    PAIRS("pairs", "pairs", "objects", pairs),
    PAIRS("both_survive", "survive in both", "objects", both_survive),
    PAIRS("equal", "equal", "objects", equal),
    PAIRS_SHARE("same_percent", "the same", same),
    PAIRS("within_1", "within 1%", "objects", within_1),
    PAIRS_SHARE("within_1_percent", "", pairs.within_1),
    PAIRS("within_10", "within 10%", "objects", within_10),
    PAIRS_SHARE("within_10_percent", "", pairs.within_10),
    PAIRS("longer", "longer in B", "objects", longer),
    PAIRS_SHARE("longer_percent", "", pairs.longer),
    PAIRS("longer_bytes", "  bytes", "bytes", longer_bytes),
    PAIRS("shorter", "shorter in B", "objects", shorter),
    PAIRS("unknown", "unknown", "objects", unknown),
    FIGURES_END,
};

/* What an oracle of A leaves in B. */
static const struct figure unfreed_figures[] = {
    MATCHED("bytes", "bytes that die in B", "bytes", unfreed),
    FIGURE_SHARE("percent", "of the bytes of B", 0, matched, unfreed, runs[RUN_B].run.bytes),
    MATCHED("unpaired", "not paired", "bytes", match.unfreed.unpaired),
    MATCHED("immortal", "survive in A", "bytes", match.unfreed.immortal),
    MATCHED("late", "freed after the end", "bytes", match.unfreed.late),
    FIGURES_END,
};

#define SITES_SHARE(key, label, member)                                                        \
    FIGURE_SHARE(key, label, 0, matched, match.shares.member, runs[RUN_B].run.bytes)

static const struct figure share_figures[] = {
    MATCHED("count", "sites", "sites", match.shares.sites),
    MATCHED("compared", "compared", "sites", match.shares.compared),
    SITES_SHARE("compared_percent", "  of B's bytes", compared_bytes),
    SITES_SHARE("below_0_05_percent", "distance < 0.05", below_5),
    SITES_SHARE("below_0_1_percent", "distance < 0.1", below_10),
    SITES_SHARE("below_0_2_percent", "distance < 0.2", below_20),
    FIGURES_END,
};

#define PREDICTED(key, label, unit, member) MATCHED(key, label, unit, match.prediction.member)

static const struct figure prediction_figures[] = {
    MATCHED("threshold", "long: more than", "bytes", threshold),
    MATCHED("purity", "% of a site's bytes", "percent", purity),
    PREDICTED("sites", "sites called long", "sites", long_sites),
    PREDICTED("long_bytes", "long in B", "bytes", long_bytes),
    PREDICTED("called_bytes", "called long", "bytes", called),
    PREDICTED("hit_bytes", "  and long", "bytes", hits),
    FIGURE_SHARE("coverage", "coverage", 0, matched, match.prediction.hits,
                 match.prediction.long_bytes),
    FIGURE_SHARE("accuracy", "accuracy", 0, matched, match.prediction.hits,
                 match.prediction.called),
    MATCHED("false_positive_bytes", "false positives", "bytes", false_positives),
    FIGURE_SHARE("false_positive_percent", "  of short bytes", 0, matched, false_positives,
                 short_bytes),
    PREDICTED("unknown_bytes", "not known", "bytes", unknown),
    FIGURES_END,
};

/* Pairs of threads. */

/* Describes the first allocation of a run that differs; NULL: no memory. */
static char *describe_allocation(const struct shown_pair *shown, unsigned run)
{
    const struct first_difference *difference = &shown->pair.difference;
    const struct shown_allocation *allocation = &shown->differences[run];
    const char *name = run == RUN_A ? "A" : "B";
    char line[sizeof " line " + NUMBER_DIGITS] = "", *text;
    if (difference->lines[run] > 0)
        snprintf(line, sizeof line, " line %" PRIu64, difference->lines[run]);
    int length = difference->exists[run]
                     ? asprintf(&text, "%s%s: %s of %" PRIu64 " bytes, method %s", name, line,
                                allocation->type, allocation->size, allocation->method)
                     : asprintf(&text, "%s has no more", name);
    return length < 0 ? NULL : text;
}

/* Describes where a pair of threads differs first, as the text has it; NULL: no memory. */
static char *describe_difference(const struct shown_pair *shown)
{
    char *parts[RUNS] = {NULL, NULL}, *both = NULL;
    bool is_made = true;
    for (unsigned run = 0; run < RUNS && is_made; run++) {
        parts[run] = describe_allocation(shown, run);
        is_made = parts[run];
    }
    if (!is_made || asprintf(&both, "%s\n%s", parts[RUN_A], parts[RUN_B]) < 0)
        both = NULL;
    free(parts[RUN_A]);
    free(parts[RUN_B]);
    return both;
}

static bool next_thread_pair(struct row *row)
{
    const struct matched *matched = row->document;
    struct shown_pair *shown = &matched->current->pair;
    if (row->at == matched->match.thread_count)
        return false;
    shown->pair = matched->match.threads[row->at++];
    const struct first_difference *difference = &shown->pair.difference;
    for (unsigned run = 0; run < RUNS; run++) {
        const struct run_thread *thread = shown->pair.threads[run];
        shown->threads[run] = thread ? *thread : (struct run_thread){.id = 0};
        if (difference->exists[run])
            put_in_words(matched, difference->keys[run], &shown->differences[run]);
    }
    free(*matched->note);
    *matched->note = NULL;
    if (difference->exists[RUN_A] || difference->exists[RUN_B]) {
        row->note = *matched->note = describe_difference(shown);
        if (!row->note)
            matched->print->status = fail_memory(matched->print->why);
    }
    row->subject = shown;
    return true;
}

#define PAIR(key, label, unit, width, member)                                                  \
    FIGURE(key, label, unit, width, shown_pair, member)
#define DIFFERENCE(key, unit, run, member)                                                     \
    FIGURE_IF("difference." key, NULL, unit, 0, shown_pair, member, pair.difference.exists[run])
#define DIFFERENCES(key, run)                                                                  \
    FIGURE_IF("difference." key ".line", NULL, "line", 0, shown_pair,                          \
              pair.difference.lines[run], pair.difference.lines[run]),                         \
        DIFFERENCE(key ".type", "name", run, differences[run].type),                           \
        DIFFERENCE(key ".size", "bytes", run, differences[run].size),                          \
        DIFFERENCE(key ".method", "name", run, differences[run].method)

static const struct figure thread_figures[] = {
    FIGURE_IF("a", "A", "id", 10, shown_pair, threads[RUN_A].id, pair.threads[RUN_A]),
    FIGURE_IF("b", "B", "id", 10, shown_pair, threads[RUN_B].id, pair.threads[RUN_B]),
    PAIR("a_allocations", "objects of A", "objects", 13, threads[RUN_A].count),
    PAIR("b_allocations", "objects of B", "objects", 13, threads[RUN_B].count),
    PAIR("first", "equal at first", "objects", 14, pair.first),
    PAIR("paired", "paired", "objects", 12, pair.paired),
    FIGURE_SHARE("paired_percent", "of B", 8, shown_pair, pair.paired, threads[RUN_B].count),
    PAIR("paired_bytes", NULL, "bytes", 0, pair.paired_bytes),
    FIGURE_SHARE("paired_bytes_percent", "bytes", 8, shown_pair, pair.paired_bytes,
                 threads[RUN_B].bytes),
    DIFFERENCES("a", RUN_A),
    DIFFERENCES("b", RUN_B),
    FIGURES_END,
};

/* Longer lives. */

static bool next_longer(struct row *row)
{
    const struct matched *matched = row->document;
    if (row->at == matched->match.longer_count)
        return false;
    const struct longer_life *life = &matched->match.longer[row->at++];
    matched->current->life.life = *life;
    put_in_words(matched, life->key, &matched->current->life.allocation);
    row->subject = matched->current;
    return true;
}

#define LONGER(key, label, unit, width, member)                                                \
    FIGURE(key, label, unit, width, shown_life, member)
#define LONGER_LINE(key, label, run)                                                           \
    FIGURE_IF(key, label, "line", 10, shown_life, life.lines[run], life.lines[run])

static const struct figure longer_figures[] = {
    LONGER_LINE("a_line", "A in line", RUN_A),
    LONGER_LINE("b_line", "B in line", RUN_B),
    LONGER("a_lifetime", "bytes in A", "bytes", 12, life.lifetimes[RUN_A]),
    LONGER("b_lifetime", "bytes in B", "bytes", 12, life.lifetimes[RUN_B]),
    LONGER("b_survives", "survives", "flag", 8, life.survives),
    LONGER("size", "size", "bytes", 8, allocation.size),
    LONGER("type", "type", "name", 0, allocation.type),
    LONGER("method", "method", "name", 0, allocation.method),
    FIGURES_END,
};

/* Lists of sites. */

static struct value ten_thousandths(uint64_t number)
{
    return (struct value){.kind = VALUE_TEN_THOUSANDTHS, .number = number};
}

static void show_site(struct row *row, const struct match_site *site)
{
    const struct matched *matched = row->document;
    struct shown_site *shown = &matched->current->site;
    const struct vocabulary *vocabulary = &matched->match.common->vocabulary;
    shown->site = *site;
    shown->type = vocabulary_show(vocabulary, site->type, shown->text);
    shown->context = vocabulary_show_context(vocabulary, site->context);
    shown->distance = shown->p_value = NO_VALUE;
    if (site->is_compared) {
        shown->distance = ten_thousandths(two_samples_distance(&site->samples));
        shown->p_value = ten_thousandths(two_samples_p_value(&site->samples));
    }
    row->subject = shown;
}

static bool next_changed(struct row *row)
{
    const struct matched *matched = row->document;
    if (row->at == matched->match.changed_count)
        return false;
    show_site(row, matched->match.changed[row->at++]);
    return true;
}

static bool next_site(struct row *row)
{
    const struct matched *matched = row->document;
    if (row->at == matched->site_count)
        return false;
    show_site(row, &matched->sites[row->at++]);
    return true;
}

#define SITE(key, label, unit, width, member)                                                  \
    FIGURE(key, label, unit, width, shown_site, member)
#define DISTANCES                                                                              \
    SITE("distance", "distance", "ratio", 8, distance),                                        \
        SITE("p_value", "p", "ratio", 6, p_value)
#define AMOUNTS                                                                                \
    SITE("a_objects", "objects of A", "objects", 12, site.parts[RUN_A].objects),               \
        SITE("b_objects", "objects of B", "objects", 12, site.parts[RUN_B].objects),           \
        SITE("a_bytes", "bytes of A", "bytes", 12, site.parts[RUN_A].bytes),                   \
        SITE("b_bytes", "bytes of B", "bytes", 12, site.parts[RUN_B].bytes)
#define SITE_TYPE SITE("type", "type", "name", 0, type)
#define SITE_CONTEXT SITE("context", "context", "name", 0, context)

static const struct figure changed_figures[] = {
    DISTANCES, AMOUNTS, SITE_TYPE, SITE_CONTEXT, FIGURES_END,
};

static const struct figure site_figures[] = {
    SITE_CONTEXT,
    SITE_TYPE,
    AMOUNTS,
    DISTANCES,
    SITE("a_long_bytes", NULL, "bytes", 0, site.parts[RUN_A].long_bytes),
    SITE("b_long_bytes", NULL, "bytes", 0, site.parts[RUN_B].long_bytes),
    SITE("a_unknown_bytes", NULL, "bytes", 0, site.parts[RUN_A].unknown_bytes),
    SITE("b_unknown_bytes", NULL, "bytes", 0, site.parts[RUN_B].unknown_bytes),
    SITE("called_long", NULL, "flag", 0, site.is_called_long),
    FIGURES_END,
};

enum { LABELS = 24, CELLS = 16 };

/* The sections before the lists; a table has these in its one row. */
const struct section match_sections[] = {
    HEAD(verdict_figures),
    SECTION(UPRIGHT, "runs", "runs", LABELS, CELLS, run_figures, .rows = run_rows),
    SECTION(UPRIGHT, "lifetimes", "pairs, by bytes", LABELS, CELLS, lifetime_figures,
            .rows = clock_rows),
    SECTION(LINES, "unfreed", "memory of B that an oracle of A leaves allocated", LABELS, CELLS,
            unfreed_figures),
    SECTION(LINES, "sites", "sites, as parts of B's bytes", LABELS, CELLS, share_figures),
    SECTION(LINES, "prediction", "long lifetimes in B, as sites of A predict them", LABELS,
            CELLS, prediction_figures),
    SECTIONS_END,
};

const struct section match_list_sections[] = {
    SECTION(LIST, "threads", "threads", 0, 0, thread_figures, .next = next_thread_pair),
    SECTION(LIST, "longer", "paired objects that lived longer in B", 0, 0, longer_figures,
            .next = next_longer,
            .total = MEMBER(matched, lifetimes[CLOCK_PROGRAM].pairs.longer)),
    SECTION(LIST, "changed_sites", "sites that changed most", 0, 0, changed_figures,
            .next = next_changed, .total = MEMBER(matched, match.changed_count)),
    SECTIONS_END,
};

static uint64_t equal_at_first(const struct run_match *match)
{
    uint64_t all = 0;
    for (size_t i = 0; i < match->thread_count; i++)
        all += match->threads[i].first;
    return all;
}

static const char *reason_of(const bool *has_names)
{
    if (has_names[RUN_A])
        return has_names[RUN_B] ? "both traces have names" : "only the first trace has names";
    return has_names[RUN_B] ? "only the second trace has names" : "no trace has names";
}

static void set_origin(struct matched *matched, const struct match_origin *origin)
{
    matched->a = origin->a;
    matched->a_unfinished = origin->a_unfinished;
    matched->by = origin->has_names[RUN_A] && origin->has_names[RUN_B] ? "names" : "ids";
    matched->reason = reason_of(origin->has_names);
    matched->purity = origin->purity;
    for (unsigned run = 0; run < RUNS; run++)
        matched->deaths[run] = origin->is_recorded[run] ? "recorded" : "computed";
}

/* Computes the figures that are made from others. */
static void set_matched(struct matched *matched)
{
    const struct run_match *match = &matched->match;
    const struct prediction *prediction = &match->prediction;
    const struct unfreed *unfreed = &match->unfreed;
    matched->is_whole = match_is_whole(match);
    for (unsigned run = 0; run < RUNS; run++)
        matched->runs[run] = (struct shown_run){match->runs[run], equal_at_first(match),
                                                match->paired, match->paired_bytes};
    for (unsigned clock = 0; clock < MATCH_CLOCKS; clock++) {
        const struct paired_lifetimes *pairs = &match->lifetimes[clock];
        matched->lifetimes[clock] =
            (struct shown_lifetimes){*pairs, pairs->equal + pairs->both_survive};
    }
    matched->unfreed = unfreed->unpaired + unfreed->immortal + unfreed->late;
    matched->threshold = match->common->threshold;
    matched->false_positives = prediction->called - prediction->hits;
    matched->short_bytes = prediction->known - prediction->long_bytes;
}

void match_print(struct print *print, enum report_format format, const struct run_match *match,
                 const struct match_origin *origin)
{
    char *note = NULL;
    union current current;
    struct matched matched = {
        .match = *match, .current = &current, .note = &note, .print = print};
    set_origin(&matched, origin);
    set_matched(&matched);
    if (format == FORMAT_TSV) {
        const struct document_part row[] = {
            {origin_sections, &origin->trace},
            {match_compared_sections, &matched},
            {assumption_sections, &origin->trace},
            {match_sections, &matched},
        };
        document_print_row(print, row, sizeof row / sizeof *row);
        return;
    }
    struct document document = document_begin(print, format, "match-1");
    document.show = LONGER_LISTED;
    document_print(&document, origin_sections, &origin->trace);
    document_print(&document, match_compared_sections, &matched);
    document_print(&document, assumption_sections, &origin->trace);
    document_print(&document, match_sections, &matched);
    document_print(&document, match_list_sections, &matched);
    document_end(&document);
    free(note);
}

static enum status match_sites_finish(struct report *report, struct failure *why)
{
    static const struct section sites =
        SECTION(LIST, "", NULL, 0, 0, site_figures, .next = next_site);
    const struct run_match *match = report->material->match;
    union current current;
    const struct matched matched = {.match = *match,
                                    .current = &current,
                                    .sites = match->common->sites.sites,
                                    .site_count = match->common->sites.count};
    struct print print = {.sink = report->sink, .why = why};
    document_print_table(&print, &sites, &matched);
    return print.status;
}

/* The sites of both runs as a table, a row each: a report of B. */
const struct report_class match_sites_report = {.finish = match_sites_finish};
