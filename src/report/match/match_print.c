/* SPDX-License-Identifier: MIT */
/* The match as a document: what was compared with what, the sequences, the lifetimes of pairs,
 * the sites, and what sites of A say of B. */
#include "report/match/match.h"

#include "base/number.h"
#include "report/report.h"

#include <inttypes.h>
#include <stdio.h>

enum { LABELS = 24, CELLS = 16 };

/* What was compared. */

static const char *by_of(const bool *has_names)
{
    return has_names[RUN_A] && has_names[RUN_B] ? "names" : "ids";
}

static const char *reason_of(const bool *has_names)
{
    if (has_names[RUN_A])
        return has_names[RUN_B] ? "both traces have names" : "only the first trace has names";
    return has_names[RUN_B] ? "only the second trace has names" : "no trace has names";
}

static void put_compared(struct form *form, const struct match_origin *origin)
{
    const char *by = by_of(origin->has_names), *reason = reason_of(origin->has_names);
    const char *a = origin->is_recorded[RUN_A] ? "recorded" : "computed";
    const char *b = origin->is_recorded[RUN_B] ? "recorded" : "computed";
    char shown_by[COMPOSED_SIZE], deaths[COMPOSED_SIZE];
    snprintf(shown_by, sizeof shown_by, "types and methods by %s: %s", by, reason);
    snprintf(deaths, sizeof deaths, "%s in A, %s in B", a, b);
    form_head(form, "");
    form_line(form, "a", "A", "name", value_text(origin->a));
    form_line(form, "a_unfinished", "unfinished", "text", value_text(origin->a_unfinished));
    form_put(form, "compared_by", "word", value_text(by));
    form_put(form, "reason", "text", value_text(reason));
    form_line(form, NULL, "compared", "text", value_text(shown_by));
    form_put(form, "a_deaths", "word", value_text(a));
    form_put(form, "b_deaths", "word", value_text(b));
    form_line(form, NULL, "deaths", "text", value_text(deaths));
}

/* The two runs. */

static uint64_t equal_at_first(const struct run_match *match)
{
    uint64_t all = 0;
    for (size_t i = 0; i < match->thread_count; i++)
        all += match->threads[i].first;
    return all;
}

static void put_run(struct form *form, const char *key, const char *label,
                    const struct run_match *match, const struct run *run)
{
    form_row(form, key, label);
    form_line(form, "threads", "threads", "threads", value_number(run->seen_threads));
    form_line(form, "allocations", "allocations", "objects", value_number(run->allocations));
    form_line(form, "bytes", "bytes", "bytes", value_number(run->bytes));
    form_line(form, "survivors", "survivors", "objects", value_number(run->survivors));
    form_line(form, "survivor_bytes", "  bytes", "bytes", value_number(run->survivor_bytes));
    form_line(form, "first", "equal at first", "objects", value_number(equal_at_first(match)));
    form_line(form, "paired", "paired", "objects", value_number(match->paired));
    form_line(form, "paired_percent", "", "percent",
              value_share(match->paired, run->allocations));
    form_line(form, "paired_bytes", "  bytes", "bytes", value_number(match->paired_bytes));
    form_line(form, "paired_bytes_percent", "", "percent",
              value_share(match->paired_bytes, run->bytes));
}

static void put_runs(struct form *form, const struct run_match *match)
{
    form_upright(form, "runs", "runs", LABELS, CELLS);
    put_run(form, "a", "A", match, &match->runs[RUN_A]);
    put_run(form, "b", "B", match, &match->runs[RUN_B]);
}

/* Puts a number of pairs, and its share of all of them. */
static void put_pairs(struct form *form, const char *key, const char *percent_key,
                      const char *label, uint64_t number, const struct paired_lifetimes *all)
{
    form_line(form, key, label, "objects", value_number(number));
    form_line(form, percent_key, "", "percent", value_share(number, all->pairs));
}

static void put_clock(struct form *form, const char *key, const char *label,
                      const struct paired_lifetimes *pairs)
{
    uint64_t same = pairs->equal + pairs->both_survive;
    form_row(form, key, label);
    form_line(form, "pairs", "pairs", "objects", value_number(pairs->pairs));
    form_line(form, "both_survive", "survive in both", "objects",
              value_number(pairs->both_survive));
    form_line(form, "equal", "equal", "objects", value_number(pairs->equal));
    form_line(form, "same_percent", "the same", "percent", value_share(same, pairs->pairs));
    put_pairs(form, "within_1", "within_1_percent", "within 1%", pairs->within_1, pairs);
    put_pairs(form, "within_10", "within_10_percent", "within 10%", pairs->within_10, pairs);
    put_pairs(form, "longer", "longer_percent", "longer in B", pairs->longer, pairs);
    form_line(form, "longer_bytes", "  bytes", "bytes", value_number(pairs->longer_bytes));
    form_line(form, "shorter", "shorter in B", "objects", value_number(pairs->shorter));
    form_line(form, "unknown", "unknown", "objects", value_number(pairs->unknown));
}

static void put_lifetimes(struct form *form, const struct run_match *match)
{
    form_upright(form, "lifetimes", "pairs, by bytes", LABELS, CELLS);
    put_clock(form, "program", "of the program", &match->lifetimes[CLOCK_PROGRAM]);
    put_clock(form, "thread", "of the thread", &match->lifetimes[CLOCK_THREAD]);
}

/* Puts what an oracle of A leaves in B. */
static void put_unfreed(struct form *form, const struct unfreed *unfreed, uint64_t bytes_of_b)
{
    uint64_t all = unfreed->unpaired + unfreed->immortal + unfreed->late;
    form_lines(form, "unfreed", "memory of B that an oracle of A leaves allocated", LABELS,
               CELLS);
    form_line(form, "bytes", "bytes that die in B", "bytes", value_number(all));
    form_line(form, "percent", "of the bytes of B", "percent", value_share(all, bytes_of_b));
    form_line(form, "unpaired", "not paired", "bytes", value_number(unfreed->unpaired));
    form_line(form, "immortal", "survive in A", "bytes", value_number(unfreed->immortal));
    form_line(form, "late", "freed after the end", "bytes", value_number(unfreed->late));
}

static void put_shares(struct form *form, const struct site_shares *shares, uint64_t bytes_of_b)
{
    form_lines(form, "sites", "sites, as parts of B's bytes", LABELS, CELLS);
    form_line(form, "count", "sites", "sites", value_number(shares->sites));
    form_line(form, "compared", "compared", "sites", value_number(shares->compared));
    form_line(form, "compared_percent", "  of B's bytes", "percent",
              value_share(shares->compared_bytes, bytes_of_b));
    form_line(form, "below_0_05_percent", "distance < 0.05", "percent",
              value_share(shares->below_5, bytes_of_b));
    form_line(form, "below_0_1_percent", "distance < 0.1", "percent",
              value_share(shares->below_10, bytes_of_b));
    form_line(form, "below_0_2_percent", "distance < 0.2", "percent",
              value_share(shares->below_20, bytes_of_b));
}

static void put_prediction(struct form *form, const struct run_match *match, uint64_t purity)
{
    const struct prediction *prediction = &match->prediction;
    uint64_t false_positives = prediction->called - prediction->hits;
    uint64_t short_bytes = prediction->known - prediction->long_bytes;
    form_lines(form, "prediction", "long lifetimes in B, as sites of A predict them", LABELS,
               CELLS);
    form_line(form, "threshold", "long: more than", "bytes",
              value_number(match->common->threshold));
    form_line(form, "purity", "% of a site's bytes", "percent", value_number(purity));
    form_line(form, "sites", "sites called long", "sites",
              value_number(prediction->long_sites));
    form_line(form, "long_bytes", "long in B", "bytes", value_number(prediction->long_bytes));
    form_line(form, "called_bytes", "called long", "bytes", value_number(prediction->called));
    form_line(form, "hit_bytes", "  and long", "bytes", value_number(prediction->hits));
    form_line(form, "coverage", "coverage", "percent",
              value_share(prediction->hits, prediction->long_bytes));
    form_line(form, "accuracy", "accuracy", "percent",
              value_share(prediction->hits, prediction->called));
    form_line(form, "false_positive_bytes", "false positives", "bytes",
              value_number(false_positives));
    form_line(form, "false_positive_percent", "  of short bytes", "percent",
              value_share(false_positives, short_bytes));
    form_line(form, "unknown_bytes", "not known", "bytes", value_number(prediction->unknown));
}

/* A word, which is written to `room`; nothing if there is no row that has one. */
static struct value word_value(const struct vocabulary *vocabulary, bool exists, uint32_t word,
                               char room[WORD_SIZE])
{
    return exists ? value_text(vocabulary_show(vocabulary, word, room)) : NO_VALUE;
}

/* Pairs of threads. */

enum { ALLOCATION_SIZE = 2 * WORD_SIZE + COMPOSED_SIZE };

/* Describes the first allocation of a run that differs. */
static void describe_allocation(char out[ALLOCATION_SIZE], const struct run_match *match,
                                const struct first_difference *difference, unsigned run)
{
    const struct vocabulary *vocabulary = &match->common->vocabulary;
    const char *name = run == RUN_A ? "A" : "B";
    char line[sizeof " line " + NUMBER_DIGITS] = "", type[WORD_SIZE], method[WORD_SIZE];
    if (!difference->exists[run]) {
        snprintf(out, ALLOCATION_SIZE, "%s has no more", name);
        return;
    }
    struct allocation_key key = vocabulary_key_of(vocabulary, difference->keys[run]);
    if (difference->lines[run] > 0)
        snprintf(line, sizeof line, " line %" PRIu64, difference->lines[run]);
    snprintf(out, ALLOCATION_SIZE, "%s%s: %s of %" PRIu64 " bytes, method %s", name, line,
             vocabulary_show(vocabulary, key.type, type), key.size,
             vocabulary_show(vocabulary, key.method, method));
}

/* Notes where a pair of threads differs first. */
static void note_difference(struct form *form, const struct run_match *match,
                            const struct first_difference *difference)
{
    char both[RUNS][ALLOCATION_SIZE], note[RUNS * ALLOCATION_SIZE];
    if (!difference->exists[RUN_A] && !difference->exists[RUN_B])
        return;
    for (unsigned run = 0; run < RUNS; run++)
        describe_allocation(both[run], match, difference, run);
    snprintf(note, sizeof note, "%s\n%s", both[RUN_A], both[RUN_B]);
    form_note(form, note);
}

/* The keys of the allocation of a run at which a pair of threads differs first. */
static const struct difference_keys {
    const char *line, *type, *size, *method;
} difference_keys[RUNS] = {
    [RUN_A] = {"difference.a.line", "difference.a.type", "difference.a.size",
               "difference.a.method"},
    [RUN_B] = {"difference.b.line", "difference.b.type", "difference.b.size",
               "difference.b.method"},
};

static void put_difference(struct form *form, const struct run_match *match,
                           const struct first_difference *difference, unsigned run)
{
    const struct vocabulary *vocabulary = &match->common->vocabulary;
    const struct difference_keys *keys = &difference_keys[run];
    bool exists = difference->exists[run];
    struct allocation_key key = {.size = 0};
    char word[WORD_SIZE];
    if (exists)
        key = vocabulary_key_of(vocabulary, difference->keys[run]);
    form_put(form, keys->line, "line",
             value_number_if(difference->lines[run] > 0, difference->lines[run]));
    form_put(form, keys->type, "name", word_value(vocabulary, exists, key.type, word));
    form_put(form, keys->size, "bytes", value_number_if(exists, key.size));
    form_put(form, keys->method, "name", word_value(vocabulary, exists, key.method, word));
}

static void put_thread_pair(struct form *form, const struct run_match *match,
                            const struct thread_pair *pair)
{
    static const struct run_thread none;
    bool has_a = pair->threads[RUN_A], has_b = pair->threads[RUN_B];
    const struct run_thread *a = has_a ? pair->threads[RUN_A] : &none;
    const struct run_thread *b = has_b ? pair->threads[RUN_B] : &none;
    form_item(form);
    note_difference(form, match, &pair->difference);
    form_cell(form, "a", "A", 10, "id", value_number_if(has_a, a->id));
    form_cell(form, "b", "B", 10, "id", value_number_if(has_b, b->id));
    form_cell(form, "a_allocations", "objects of A", 13, "objects", value_number(a->count));
    form_cell(form, "b_allocations", "objects of B", 13, "objects", value_number(b->count));
    form_cell(form, "first", "equal at first", 14, "objects", value_number(pair->first));
    form_cell(form, "paired", "paired", 12, "objects", value_number(pair->paired));
    form_cell(form, "paired_percent", "of B", 8, "percent",
              value_share(pair->paired, b->count));
    form_put(form, "paired_bytes", "bytes", value_number(pair->paired_bytes));
    form_cell(form, "paired_bytes_percent", "bytes", 8, "percent",
              value_share(pair->paired_bytes, b->bytes));
    put_difference(form, match, &pair->difference, RUN_A);
    put_difference(form, match, &pair->difference, RUN_B);
}

static void put_threads(struct form *form, const struct run_match *match)
{
    static const struct thread_pair none;
    form_list(form, "threads", "threads", 0);
    for (size_t i = 0; form_next(form, i, match->thread_count); i++)
        put_thread_pair(form, match, i < match->thread_count ? &match->threads[i] : &none);
}

/* Longer lives. */

/* `life` NULL: there is none. */
static void put_longer_life(struct form *form, const struct vocabulary *vocabulary,
                            const struct longer_life *life)
{
    static const struct longer_life none;
    bool exists = life;
    const struct longer_life *shown = exists ? life : &none;
    const uint64_t *lines = shown->lines, *lifetimes = shown->lifetimes;
    struct allocation_key key = {.size = 0};
    char word[WORD_SIZE];
    if (exists)
        key = vocabulary_key_of(vocabulary, life->key);
    form_item(form);
    form_cell(form, "a_line", "A in line", 10, "line",
              value_number_if(lines[RUN_A] > 0, lines[RUN_A]));
    form_cell(form, "b_line", "B in line", 10, "line",
              value_number_if(lines[RUN_B] > 0, lines[RUN_B]));
    form_cell(form, "a_lifetime", "bytes in A", 12, "bytes", value_number(lifetimes[RUN_A]));
    form_cell(form, "b_lifetime", "bytes in B", 12, "bytes", value_number(lifetimes[RUN_B]));
    form_cell(form, "b_survives", "survives", 8, "flag", value_flag(shown->survives));
    form_cell(form, "size", "size", 8, "bytes", value_number(key.size));
    form_cell(form, "type", "type", 0, "name", word_value(vocabulary, exists, key.type, word));
    form_cell(form, "method", "method", 0, "name",
              word_value(vocabulary, exists, key.method, word));
}

static void put_longer(struct form *form, const struct run_match *match)
{
    form_list_of(form, "longer", "paired objects that lived longer in B", LONGER_LISTED,
                 match->lifetimes[CLOCK_PROGRAM].longer);
    for (size_t i = 0; form_next(form, i, match->longer_count); i++)
        put_longer_life(form, &match->common->vocabulary,
                        i < match->longer_count ? &match->longer[i] : NULL);
}

/* Lists of sites. `site` NULL: there is none. */

static void put_site_distances(struct form *form, const struct match_site *site)
{
    struct value distance = NO_VALUE, p_value = NO_VALUE;
    if (site && site->is_compared) {
        distance = value_ten_thousandths(two_samples_distance(&site->samples));
        p_value = value_ten_thousandths(two_samples_p_value(&site->samples));
    }
    form_cell(form, "distance", "distance", 8, "ratio", distance);
    form_cell(form, "p_value", "p", 6, "ratio", p_value);
}

static void put_site_amounts(struct form *form, const struct match_site *site)
{
    static const struct site_part nothing;
    const struct site_part *a = site ? &site->parts[RUN_A] : &nothing;
    const struct site_part *b = site ? &site->parts[RUN_B] : &nothing;
    form_cell(form, "a_objects", "objects of A", 12, "objects", value_number(a->objects));
    form_cell(form, "b_objects", "objects of B", 12, "objects", value_number(b->objects));
    form_cell(form, "a_bytes", "bytes of A", 12, "bytes", value_number(a->bytes));
    form_cell(form, "b_bytes", "bytes of B", 12, "bytes", value_number(b->bytes));
}

static void put_site_type(struct form *form, const struct vocabulary *vocabulary,
                          const struct match_site *site)
{
    char word[WORD_SIZE];
    form_cell(form, "type", "type", 0, "name",
              word_value(vocabulary, site, site ? site->type : 0, word));
}

static void put_site_context(struct form *form, const struct vocabulary *vocabulary,
                             const struct match_site *site)
{
    form_cell(form, "context", "context", 0, "name",
              site ? value_text(vocabulary_show_context(vocabulary, site->context)) : NO_VALUE);
}

/* How many of the sites that changed most are listed. */
static size_t changed_listed(const struct run_match *match)
{
    return match->changed_count < LONGER_LISTED ? match->changed_count : LONGER_LISTED;
}

static void put_changed(struct form *form, const struct run_match *match)
{
    const struct vocabulary *vocabulary = &match->common->vocabulary;
    size_t most = changed_listed(match);
    form_list_of(form, "changed_sites", "sites that changed most", LONGER_LISTED,
                 match->changed_count);
    for (size_t i = 0; form_next(form, i, most); i++) {
        const struct match_site *site = i < most ? match->changed[i] : NULL;
        form_item(form);
        put_site_distances(form, site);
        put_site_amounts(form, site);
        put_site_type(form, vocabulary, site);
        put_site_context(form, vocabulary, site);
    }
}

static void put_changed_for_page(struct form *form, const void *subject)
{
    static const struct match_site none;
    const struct run_match *match = subject;
    const struct vocabulary *vocabulary = &match->common->vocabulary;
    size_t most = changed_listed(match);
    form_list(form, "match.sites", NULL, 0);
    for (size_t i = 0; form_next(form, i, most); i++) {
        const struct match_site *site = i < most ? match->changed[i] : NULL;
        const struct site_part *parts = site ? site->parts : none.parts;
        uint64_t distance = site ? two_samples_distance(&site->samples) : 0;
        form_item(form);
        put_site_context(form, vocabulary, site);
        put_site_type(form, vocabulary, site);
        form_put(form, "distance", "fraction", value_ten_thousandths(distance));
        form_put(form, "a_objects", "objects", value_number(parts[RUN_A].objects));
        form_put(form, "a_bytes", "bytes", value_number(parts[RUN_A].bytes));
        form_put(form, "b_objects", "objects", value_number(parts[RUN_B].objects));
        form_put(form, "b_bytes", "bytes", value_number(parts[RUN_B].bytes));
    }
}

struct form_part match_changed(const struct run_match *match)
{
    return (struct form_part){put_changed_for_page, match, changed_listed(match)};
}

static void put_long_bytes(struct form *form, const struct match_site *site)
{
    static const struct match_site none;
    const struct match_site *shown = site ? site : &none;
    const struct site_part *a = &shown->parts[RUN_A], *b = &shown->parts[RUN_B];
    form_put(form, "a_long_bytes", "bytes", value_number(a->long_bytes));
    form_put(form, "b_long_bytes", "bytes", value_number(b->long_bytes));
    form_put(form, "a_unknown_bytes", "bytes", value_number(a->unknown_bytes));
    form_put(form, "b_unknown_bytes", "bytes", value_number(b->unknown_bytes));
    form_put(form, "called_long", "flag", value_flag(shown->is_called_long));
}

/* The figures before the lists; a table has these in its one row. */
static void put_figures(struct form *form, const struct run_match *match,
                        const struct match_origin *origin)
{
    uint64_t bytes_of_b = match->runs[RUN_B].bytes;
    origin_put(form, &origin->trace);
    put_compared(form, origin);
    assumptions_put(form, origin->trace.assumptions);
    form_head(form, "");
    form_line(form, "matches", "matches", "flag", value_flag(match_is_whole(match)));
    put_runs(form, match);
    put_lifetimes(form, match);
    put_unfreed(form, &match->unfreed, bytes_of_b);
    put_shares(form, &match->shares, bytes_of_b);
    put_prediction(form, match, origin->purity);
}

/* Prints a table of one row, with the names of its columns. */
static void print_table(struct print *print, const struct run_match *match,
                        const struct match_origin *origin)
{
    struct table table;
    print->status = table_begin(&table, print->sink, "", print->why);
    if (print->status != STATUS_OK)
        return;
    for (int line = 0; line < 2; line++) {
        struct form *form = form_begin_row(print, &table, NULL, line == 0);
        if (!form)
            break;
        put_figures(form, match, origin);
        form_finish(form);
        table_end_row(&table);
    }
    enum status status = table_end(&table);
    if (print->status == STATUS_OK)
        print->status = status;
}

void match_print(struct print *print, enum report_format format, const struct run_match *match,
                 const struct match_origin *origin)
{
    if (format == FORMAT_TSV) {
        print_table(print, match, origin);
        return;
    }
    struct form *form = form_begin(print, format, "match-1");
    if (!form)
        return;
    put_figures(form, match, origin);
    put_threads(form, match);
    put_longer(form, match);
    put_changed(form, match);
    form_finish(form);
}

static enum status match_sites_finish(struct report *report, struct failure *why)
{
    const struct run_common *common = report->material->match->common;
    struct print print = {.sink = report->sink, .why = why};
    struct form *form = form_begin_table(&print);
    if (!form)
        return print.status;
    form_list(form, "", NULL, 0);
    for (size_t i = 0; form_next(form, i, common->sites.count); i++) {
        const struct match_site *site =
            i < common->sites.count ? &common->sites.sites[i] : NULL;
        form_item(form);
        put_site_context(form, &common->vocabulary, site);
        put_site_type(form, &common->vocabulary, site);
        put_site_amounts(form, site);
        put_site_distances(form, site);
        put_long_bytes(form, site);
    }
    form_finish(form);
    return print.status;
}

/* The sites of both runs as a table, a row each: a report of B. */
const struct report_class match_sites_report = {.finish = match_sites_finish};
