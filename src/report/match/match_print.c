/* SPDX-License-Identifier: MIT */
/* The match as a document: what was compared with what, the sequences, the lifetimes of pairs,
 * the sites, and what sites of A say of B. */
#include "report/match/match_print.h"

#include "report/report_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* What is printed. */
struct matched {
    const struct run_match *match;
    const struct match_origin *origin;
    char **note; /* of a pair of threads; owned by whoever prints */
};

static const struct run_match *match_of(const struct row *row)
{
    return ((const struct matched *)row->document)->match;
}

static const struct match_origin *origin_of_row(const struct row *row)
{
    return ((const struct matched *)row->document)->origin;
}

static const char *word_of(const struct run_match *match, uint32_t word)
{
    return vocabulary_text(&match->common->vocabulary, word);
}

/* What was compared. */

static struct value a_of(struct row *row)
{
    return value_text(origin_of_row(row)->a);
}

static struct value a_unfinished_of(struct row *row)
{
    return value_text(origin_of_row(row)->a_unfinished);
}

static struct value compared_by_of(struct row *row)
{
    const bool *has_names = origin_of_row(row)->has_names;
    return value_text(has_names[RUN_A] && has_names[RUN_B] ? "names" : "ids");
}

static struct value reason_of(struct row *row)
{
    const bool *has_names = origin_of_row(row)->has_names;
    return value_text(has_names[RUN_A]   ? has_names[RUN_B] ? "both traces have names"
                                                            : "only the first trace has names"
                      : has_names[RUN_B] ? "only the second trace has names"
                                         : "no trace has names");
}

static struct value shown_by_of(struct row *row)
{
    snprintf(row->scratch, ROW_SCRATCH, "types and methods by %s: %s", compared_by_of(row).text,
             reason_of(row).text);
    return value_text(row->scratch);
}

static const char *deaths_word(const struct row *row, unsigned run)
{
    return origin_of_row(row)->is_recorded[run] ? "recorded" : "computed";
}

static struct value a_deaths_of(struct row *row)
{
    return value_text(deaths_word(row, RUN_A));
}

static struct value b_deaths_of(struct row *row)
{
    return value_text(deaths_word(row, RUN_B));
}

static struct value shown_deaths_of(struct row *row)
{
    snprintf(row->scratch, ROW_SCRATCH, "%s in A, %s in B", deaths_word(row, RUN_A),
             deaths_word(row, RUN_B));
    return value_text(row->scratch);
}

static const struct figure compared_figures[] = {
    FIGURE_OF("a", "A", "name", 0, a_of),
    FIGURE_OF("a_unfinished", "unfinished", "text", 0, a_unfinished_of),
    FIGURE_OF("compared_by", NULL, "word", 0, compared_by_of),
    FIGURE_OF("reason", NULL, "text", 0, reason_of),
    FIGURE_OF(NULL, "compared", "text", 0, shown_by_of),
    FIGURE_OF("a_deaths", NULL, "word", 0, a_deaths_of),
    FIGURE_OF("b_deaths", NULL, "word", 0, b_deaths_of),
    FIGURE_OF(NULL, "deaths", "text", 0, shown_deaths_of),
    FIGURES_END,
};

const struct section match_compared_sections[] = {
    {.form = SECTION_HEAD, .key = "", .width = HEAD_WIDTH, .figures = compared_figures},
    {.figures = NULL},
};

static struct value whole_of(struct row *row)
{
    return value_flag(match_is_whole(match_of(row)));
}

static const struct figure verdict_figures[] = {
    FIGURE_OF("matches", "matches", "flag", 0, whole_of),
    FIGURES_END,
};

/* The two runs. */

static const struct run *run_of(const struct row *row)
{
    return row->subject;
}

static bool next_run(struct row *row)
{
    static const char *const keys[RUNS] = {"a", "b"};
    static const char *const labels[RUNS] = {"A", "B"};
    if (row->at == RUNS)
        return false;
    row->key = keys[row->at];
    row->label = labels[row->at];
    row->subject = row->document ? &match_of(row)->runs[row->at] : NULL;
    row->at++;
    return true;
}

static struct value first_of(struct row *row)
{
    const struct run_match *match = match_of(row);
    uint64_t all = 0;
    for (size_t i = 0; i < match->thread_count; i++)
        all += match->threads[i].first;
    return value_number(all);
}

static struct value paired_of(struct row *row)
{
    return value_number(match_of(row)->paired);
}

static struct value paired_percent_of(struct row *row)
{
    return value_share(match_of(row)->paired, run_of(row)->allocations);
}

static struct value paired_bytes_of(struct row *row)
{
    return value_number(match_of(row)->paired_bytes);
}

static struct value paired_bytes_percent_of(struct row *row)
{
    return value_share(match_of(row)->paired_bytes, run_of(row)->bytes);
}

static const struct figure run_figures[] = {
    FIGURE("threads", "threads", "threads", 0, run, seen_threads),
    FIGURE("allocations", "allocations", "objects", 0, run, allocations),
    FIGURE("bytes", "bytes", "bytes", 0, run, bytes),
    FIGURE("survivors", "survivors", "objects", 0, run, survivors),
    FIGURE("survivor_bytes", "  bytes", "bytes", 0, run, survivor_bytes),
    FIGURE_OF("first", "equal at first", "objects", 0, first_of),
    FIGURE_OF("paired", "paired", "objects", 0, paired_of),
    FIGURE_OF("paired_percent", "", "percent", 0, paired_percent_of),
    FIGURE_OF("paired_bytes", "  bytes", "bytes", 0, paired_bytes_of),
    FIGURE_OF("paired_bytes_percent", "", "percent", 0, paired_bytes_percent_of),
    FIGURES_END,
};

/* Lifetimes of pairs. */

static bool next_clock(struct row *row)
{
    static const char *const keys[MATCH_CLOCKS] = {"program", "thread"};
    static const char *const labels[MATCH_CLOCKS] = {"of the program", "of the thread"};
    if (row->at == MATCH_CLOCKS)
        return false;
    row->key = keys[row->at];
    row->label = labels[row->at];
    row->subject = row->document ? &match_of(row)->lifetimes[row->at] : NULL;
    row->at++;
    return true;
}

static const struct paired_lifetimes *lifetimes_of(const struct row *row)
{
    return row->subject;
}

static struct value same_percent_of(struct row *row)
{
    const struct paired_lifetimes *lifetimes = lifetimes_of(row);
    return value_share(lifetimes->equal + lifetimes->both_survive, lifetimes->pairs);
}

static const struct figure lifetime_figures[] = {
    FIGURE("pairs", "pairs", "objects", 0, paired_lifetimes, pairs),
    FIGURE("both_survive", "survive in both", "objects", 0, paired_lifetimes, both_survive),
    FIGURE("equal", "equal", "objects", 0, paired_lifetimes, equal),
    FIGURE_OF("same_percent", "the same", "percent", 0, same_percent_of),
    FIGURE("within_1", "within 1%", "objects", 0, paired_lifetimes, within_1),
    FIGURE_SHARE("within_1_percent", "", 0, paired_lifetimes, within_1, pairs),
    FIGURE("within_10", "within 10%", "objects", 0, paired_lifetimes, within_10),
    FIGURE_SHARE("within_10_percent", "", 0, paired_lifetimes, within_10, pairs),
    FIGURE("longer", "longer in B", "objects", 0, paired_lifetimes, longer),
    FIGURE_SHARE("longer_percent", "", 0, paired_lifetimes, longer, pairs),
    FIGURE("longer_bytes", "  bytes", "bytes", 0, paired_lifetimes, longer_bytes),
    FIGURE("shorter", "shorter in B", "objects", 0, paired_lifetimes, shorter),
    FIGURE("unknown", "unknown", "objects", 0, paired_lifetimes, unknown),
    FIGURES_END,
};

/* What an oracle of A leaves in B. */

static const struct unfreed *unfreed_of(const struct row *row)
{
    return &match_of(row)->unfreed;
}

static uint64_t all_unfreed(const struct row *row)
{
    const struct unfreed *unfreed = unfreed_of(row);
    return unfreed->unpaired + unfreed->immortal + unfreed->late;
}

static struct value unfreed_all_of(struct row *row)
{
    return value_number(all_unfreed(row));
}

static struct value unfreed_percent_of(struct row *row)
{
    return value_share(all_unfreed(row), match_of(row)->runs[RUN_B].bytes);
}

static bool next_unfreed(struct row *row)
{
    row->subject = row->document ? unfreed_of(row) : NULL;
    return row->at++ == 0;
}

static const struct figure unfreed_figures[] = {
    FIGURE_OF("bytes", "bytes that die in B", "bytes", 0, unfreed_all_of),
    FIGURE_OF("percent", "of the bytes of B", "percent", 0, unfreed_percent_of),
    FIGURE("unpaired", "not paired", "bytes", 0, unfreed, unpaired),
    FIGURE("immortal", "survive in A", "bytes", 0, unfreed, immortal),
    FIGURE("late", "freed after the end", "bytes", 0, unfreed, late),
    FIGURES_END,
};

/* Sites. */

static const struct site_shares *shares_of(const struct row *row)
{
    return row->subject;
}

static bool next_shares(struct row *row)
{
    row->subject = row->document ? &match_of(row)->shares : NULL;
    return row->at++ == 0;
}

static struct value share_of_b(const struct row *row, uint64_t bytes)
{
    return value_share(bytes, match_of(row)->runs[RUN_B].bytes);
}

static struct value compared_percent_of(struct row *row)
{
    return share_of_b(row, shares_of(row)->compared_bytes);
}

static struct value below_5_of(struct row *row)
{
    return share_of_b(row, shares_of(row)->below_5);
}

static struct value below_10_of(struct row *row)
{
    return share_of_b(row, shares_of(row)->below_10);
}

static struct value below_20_of(struct row *row)
{
    return share_of_b(row, shares_of(row)->below_20);
}

static const struct figure share_figures[] = {
    FIGURE("count", "sites", "sites", 0, site_shares, sites),
    FIGURE("compared", "compared", "sites", 0, site_shares, compared),
    FIGURE_OF("compared_percent", "  of B's bytes", "percent", 0, compared_percent_of),
    FIGURE_OF("below_0_05_percent", "distance < 0.05", "percent", 0, below_5_of),
    FIGURE_OF("below_0_1_percent", "distance < 0.1", "percent", 0, below_10_of),
    FIGURE_OF("below_0_2_percent", "distance < 0.2", "percent", 0, below_20_of),
    FIGURES_END,
};

/* Prediction. */

static const struct prediction *prediction_of(const struct row *row)
{
    return row->subject;
}

static bool next_prediction(struct row *row)
{
    row->subject = row->document ? &match_of(row)->prediction : NULL;
    return row->at++ == 0;
}

static struct value threshold_of(struct row *row)
{
    return value_number(match_of(row)->common->threshold);
}

static struct value purity_of(struct row *row)
{
    return value_number(origin_of_row(row)->purity);
}

static uint64_t false_positives(const struct row *row)
{
    return prediction_of(row)->called - prediction_of(row)->hits;
}

static struct value false_positives_of(struct row *row)
{
    return value_number(false_positives(row));
}

static struct value false_positives_percent_of(struct row *row)
{
    const struct prediction *prediction = prediction_of(row);
    return value_share(false_positives(row), prediction->known - prediction->long_bytes);
}

static const struct figure prediction_figures[] = {
    FIGURE_OF("threshold", "long: more than", "bytes", 0, threshold_of),
    FIGURE_OF("purity", "% of a site's bytes", "percent", 0, purity_of),
    FIGURE("sites", "sites called long", "sites", 0, prediction, long_sites),
    FIGURE("long_bytes", "long in B", "bytes", 0, prediction, long_bytes),
    FIGURE("called_bytes", "called long", "bytes", 0, prediction, called),
    FIGURE("hit_bytes", "  and long", "bytes", 0, prediction, hits),
    FIGURE_SHARE("coverage", "coverage", 0, prediction, hits, long_bytes),
    FIGURE_SHARE("accuracy", "accuracy", 0, prediction, hits, called),
    FIGURE_OF("false_positive_bytes", "false positives", "bytes", 0, false_positives_of),
    FIGURE_OF("false_positive_percent", "  of short bytes", "percent", 0,
              false_positives_percent_of),
    FIGURE("unknown_bytes", "not known", "bytes", 0, prediction, unknown),
    FIGURES_END,
};

/* Pairs of threads. */

static const struct thread_pair *pair_of(const struct row *row)
{
    return row->subject;
}

static bool has_difference(const struct row *row)
{
    const struct first_difference *difference = &pair_of(row)->difference;
    return difference->lines[RUN_A] > 0 || difference->lines[RUN_B] > 0;
}

/* Describes where a pair of threads differs first, as the text has it. */
static void describe_difference(struct row *row)
{
    const struct matched *matched = row->document;
    const struct first_difference *difference = &pair_of(row)->difference;
    char *parts[RUNS] = {NULL, NULL};
    bool is_made = true;
    free(*matched->note);
    *matched->note = NULL;
    if (!has_difference(row))
        return;
    for (unsigned run = 0; run < RUNS && is_made; run++) {
        const char *shown = run == RUN_A ? "A" : "B";
        struct allocation_key key;
        if (difference->lines[run] == 0) {
            is_made = asprintf(&parts[run], "%s has no more", shown) >= 0;
            continue;
        }
        key = vocabulary_key_of(&matched->match->common->vocabulary, difference->keys[run]);
        is_made =
            asprintf(&parts[run], "%s line %" PRIu64 ": %s of %" PRIu64 " bytes, method %s",
                     shown, difference->lines[run], word_of(matched->match, key.type), key.size,
                     word_of(matched->match, key.method)) >= 0;
    }
    if (!is_made || asprintf(matched->note, "%s\n%s", parts[RUN_A], parts[RUN_B]) < 0)
        *matched->note = NULL;
    free(parts[RUN_A]);
    free(parts[RUN_B]);
    row->note = *matched->note;
}

static bool next_thread_pair(struct row *row)
{
    const struct run_match *match = match_of(row);
    if (row->at == match->thread_count)
        return false;
    row->subject = &match->threads[row->at++];
    describe_difference(row);
    return true;
}

static struct value thread_value(const struct row *row, unsigned run)
{
    const struct run_thread *thread = pair_of(row)->threads[run];
    return value_number_if(thread, thread ? thread->id : 0);
}

static struct value thread_a_of(struct row *row)
{
    return thread_value(row, RUN_A);
}

static struct value thread_b_of(struct row *row)
{
    return thread_value(row, RUN_B);
}

static uint64_t thread_allocations(const struct row *row, unsigned run)
{
    const struct run_thread *thread = pair_of(row)->threads[run];
    return thread ? thread->count : 0;
}

static struct value thread_allocations_a_of(struct row *row)
{
    return value_number(thread_allocations(row, RUN_A));
}

static struct value thread_allocations_b_of(struct row *row)
{
    return value_number(thread_allocations(row, RUN_B));
}

static struct value thread_percent_of(struct row *row)
{
    return value_share(pair_of(row)->paired, thread_allocations(row, RUN_B));
}

static struct value thread_bytes_percent_of(struct row *row)
{
    const struct run_thread *thread = pair_of(row)->threads[RUN_B];
    return value_share(pair_of(row)->paired_bytes, thread ? thread->bytes : 0);
}

/* What is allocated at the difference; false: that run has no more. */
static bool difference_key(const struct row *row, unsigned run, struct allocation_key *key)
{
    const struct first_difference *difference = &pair_of(row)->difference;
    if (difference->lines[run] == 0)
        return false;
    *key = vocabulary_key_of(&match_of(row)->common->vocabulary, difference->keys[run]);
    return true;
}

#define DIFFERENCE_FIGURES(name, run)                                                          \
    static struct value difference_##name##_type_of(struct row *row)                           \
    {                                                                                          \
        struct allocation_key key;                                                             \
        return difference_key(row, run, &key) ? value_text(word_of(match_of(row), key.type))   \
                                              : NO_VALUE;                                      \
    }                                                                                          \
    static struct value difference_##name##_size_of(struct row *row)                           \
    {                                                                                          \
        struct allocation_key key;                                                             \
        return difference_key(row, run, &key) ? value_number(key.size) : NO_VALUE;             \
    }                                                                                          \
    static struct value difference_##name##_method_of(struct row *row)                         \
    {                                                                                          \
        struct allocation_key key;                                                             \
        return difference_key(row, run, &key) ? value_text(word_of(match_of(row), key.method)) \
                                              : NO_VALUE;                                      \
    }

DIFFERENCE_FIGURES(a, RUN_A)
DIFFERENCE_FIGURES(b, RUN_B)

static const struct figure thread_figures[] = {
    FIGURE_OF("a", "A", "id", 10, thread_a_of),
    FIGURE_OF("b", "B", "id", 10, thread_b_of),
    FIGURE_OF("a_allocations", "objects of A", "objects", 13, thread_allocations_a_of),
    FIGURE_OF("b_allocations", "objects of B", "objects", 13, thread_allocations_b_of),
    FIGURE("first", "equal at first", "objects", 14, thread_pair, first),
    FIGURE("paired", "paired", "objects", 12, thread_pair, paired),
    FIGURE_OF("paired_percent", "of B", "percent", 8, thread_percent_of),
    FIGURE("paired_bytes", NULL, "bytes", 0, thread_pair, paired_bytes),
    FIGURE_OF("paired_bytes_percent", "bytes", "percent", 8, thread_bytes_percent_of),
    FIGURE_IF("difference.a.line", NULL, "line", 0, thread_pair, difference.lines[RUN_A],
              difference.lines[RUN_A]),
    FIGURE_OF("difference.a.type", NULL, "name", 0, difference_a_type_of),
    FIGURE_OF("difference.a.size", NULL, "bytes", 0, difference_a_size_of),
    FIGURE_OF("difference.a.method", NULL, "name", 0, difference_a_method_of),
    FIGURE_IF("difference.b.line", NULL, "line", 0, thread_pair, difference.lines[RUN_B],
              difference.lines[RUN_B]),
    FIGURE_OF("difference.b.type", NULL, "name", 0, difference_b_type_of),
    FIGURE_OF("difference.b.size", NULL, "bytes", 0, difference_b_size_of),
    FIGURE_OF("difference.b.method", NULL, "name", 0, difference_b_method_of),
    FIGURES_END,
};

/* Longer lives. */

static const struct longer_life *longer_of(const struct row *row)
{
    return row->subject;
}

static bool next_longer(struct row *row)
{
    const struct run_match *match = match_of(row);
    if (row->at == match->longer_count)
        return false;
    row->subject = &match->longer[row->at++];
    return true;
}

static uint64_t count_longer(const void *document)
{
    return ((const struct matched *)document)->match->lifetimes[CLOCK_PROGRAM].longer;
}

static struct allocation_key longer_key(const struct row *row)
{
    return vocabulary_key_of(&match_of(row)->common->vocabulary, longer_of(row)->key);
}

static struct value longer_size_of(struct row *row)
{
    return value_number(longer_key(row).size);
}

static struct value longer_type_of(struct row *row)
{
    return value_text(word_of(match_of(row), longer_key(row).type));
}

static struct value longer_method_of(struct row *row)
{
    return value_text(word_of(match_of(row), longer_key(row).method));
}

static const struct figure longer_figures[] = {
    FIGURE("a_line", "A in line", "line", 10, longer_life, lines[RUN_A]),
    FIGURE("b_line", "B in line", "line", 10, longer_life, lines[RUN_B]),
    FIGURE("a_lifetime", "bytes in A", "bytes", 12, longer_life, lifetimes[RUN_A]),
    FIGURE("b_lifetime", "bytes in B", "bytes", 12, longer_life, lifetimes[RUN_B]),
    FIGURE("b_survives", "survives", "flag", 8, longer_life, survives),
    FIGURE_OF("size", "size", "bytes", 8, longer_size_of),
    FIGURE_OF("type", "type", "name", 0, longer_type_of),
    FIGURE_OF("method", "method", "name", 0, longer_method_of),
    FIGURES_END,
};

/* Lists of sites. */

static const struct match_site *site_of(const struct row *row)
{
    return row->subject;
}

static bool next_changed(struct row *row)
{
    const struct run_match *match = match_of(row);
    if (row->at == match->changed_count)
        return false;
    row->subject = match->changed[row->at++];
    return true;
}

static uint64_t count_changed(const void *document)
{
    return ((const struct matched *)document)->match->changed_count;
}

static bool next_site(struct row *row)
{
    const struct site_list *sites = &match_of(row)->common->sites;
    if (row->at == sites->count)
        return false;
    row->subject = &sites->sites[row->at++];
    return true;
}

static struct value ten_thousandths_if(bool is_there, uint64_t number)
{
    return is_there ? (struct value){.kind = VALUE_TEN_THOUSANDTHS, .number = number}
                    : NO_VALUE;
}

static struct value distance_of(struct row *row)
{
    const struct match_site *site = site_of(row);
    return ten_thousandths_if(site->is_compared,
                              site->is_compared ? two_samples_distance(&site->samples) : 0);
}

static struct value p_value_of(struct row *row)
{
    const struct match_site *site = site_of(row);
    return ten_thousandths_if(site->is_compared,
                              site->is_compared ? two_samples_p_value(&site->samples) : 0);
}

static struct value site_type_of(struct row *row)
{
    return value_text(word_of(match_of(row), site_of(row)->type));
}

static struct value site_context_of(struct row *row)
{
    return value_text(word_of(match_of(row), site_of(row)->context));
}

#define PART(run, member) parts[run].member

static const struct figure changed_figures[] = {
    FIGURE_OF("distance", "distance", "ratio", 8, distance_of),
    FIGURE_OF("p_value", "p", "ratio", 6, p_value_of),
    FIGURE("a_objects", "objects of A", "objects", 12, match_site, PART(RUN_A, objects)),
    FIGURE("b_objects", "objects of B", "objects", 12, match_site, PART(RUN_B, objects)),
    FIGURE("a_bytes", "bytes of A", "bytes", 12, match_site, PART(RUN_A, bytes)),
    FIGURE("b_bytes", "bytes of B", "bytes", 12, match_site, PART(RUN_B, bytes)),
    FIGURE_OF("type", "type", "name", 0, site_type_of),
    FIGURE_OF("context", "context", "name", 0, site_context_of),
    FIGURES_END,
};

static const struct figure site_figures[] = {
    FIGURE_OF("context", NULL, "name", 0, site_context_of),
    FIGURE_OF("type", NULL, "name", 0, site_type_of),
    FIGURE("a_objects", NULL, "objects", 0, match_site, PART(RUN_A, objects)),
    FIGURE("b_objects", NULL, "objects", 0, match_site, PART(RUN_B, objects)),
    FIGURE("a_bytes", NULL, "bytes", 0, match_site, PART(RUN_A, bytes)),
    FIGURE("b_bytes", NULL, "bytes", 0, match_site, PART(RUN_B, bytes)),
    FIGURE_OF("distance", NULL, "ratio", 0, distance_of),
    FIGURE_OF("p_value", NULL, "ratio", 0, p_value_of),
    FIGURE("a_long_bytes", NULL, "bytes", 0, match_site, PART(RUN_A, long_bytes)),
    FIGURE("b_long_bytes", NULL, "bytes", 0, match_site, PART(RUN_B, long_bytes)),
    FIGURE("a_unknown_bytes", NULL, "bytes", 0, match_site, PART(RUN_A, unknown_bytes)),
    FIGURE("b_unknown_bytes", NULL, "bytes", 0, match_site, PART(RUN_B, unknown_bytes)),
    FIGURE("called_long", NULL, "flag", 0, match_site, is_called_long),
    FIGURES_END,
};

enum { LABELS = 24, CELLS = 16 };

/* What is one row of the table, and stands before the lists. */
const struct section match_sections[] = {
    {.form = SECTION_HEAD, .key = "", .width = HEAD_WIDTH, .figures = verdict_figures},
    {.form = SECTION_UPRIGHT,
     .key = "runs",
     .title = "runs",
     .width = LABELS,
     .cell = CELLS,
     .figures = run_figures,
     .next = next_run},
    {.form = SECTION_UPRIGHT,
     .key = "lifetimes",
     .title = "pairs, by bytes",
     .width = LABELS,
     .cell = CELLS,
     .figures = lifetime_figures,
     .next = next_clock},
    {.form = SECTION_LINES,
     .key = "unfreed",
     .title = "memory of B that an oracle of A leaves allocated",
     .width = LABELS,
     .cell = CELLS,
     .figures = unfreed_figures,
     .next = next_unfreed},
    {.form = SECTION_LINES,
     .key = "sites",
     .title = "sites, as parts of B's bytes",
     .width = LABELS,
     .cell = CELLS,
     .figures = share_figures,
     .next = next_shares},
    {.form = SECTION_LINES,
     .key = "prediction",
     .title = "long lifetimes in B, as sites of A predict them",
     .width = LABELS,
     .cell = CELLS,
     .figures = prediction_figures,
     .next = next_prediction},
    {.figures = NULL},
};

const struct section match_list_sections[] = {
    {.form = SECTION_LIST,
     .key = "threads",
     .title = "threads",
     .figures = thread_figures,
     .next = next_thread_pair},
    {.form = SECTION_LIST,
     .key = "longer",
     .title = "paired objects that lived longer in B",
     .figures = longer_figures,
     .next = next_longer,
     .total = count_longer},
    {.form = SECTION_LIST,
     .key = "changed_sites",
     .title = "sites that changed most",
     .figures = changed_figures,
     .next = next_changed,
     .total = count_changed},
    {.figures = NULL},
};

void match_print(struct print *print, enum report_format format, const struct run_match *match,
                 const struct match_origin *origin)
{
    char *note = NULL;
    const struct matched matched = {match, origin, &note};
    const struct document_part row[] = {
        {origin_sections, &origin->trace},
        {match_compared_sections, &matched},
        {match_sections, &matched},
    };
    if (format == FORMAT_TSV) {
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
    static const struct section sites = {
        .form = SECTION_LIST, .figures = site_figures, .next = next_site};
    const struct matched matched = {report->material->match, NULL, NULL};
    struct print print = {.sink = report->sink, .why = why};
    document_print_table(&print, &sites, &matched);
    return print.status;
}

/* The sites of both runs as a table, a row each: a report of B. */
const struct report_class match_sites_report = {.finish = match_sites_finish};
