/* SPDX-License-Identifier: MIT */
/* All that is known of a kind of report but the option that asks for it stands in its row: what
 * it is made from, and the functions of its module, which the run calls (reports.c).
 *
 * To add a report: write its module, of functions as report.h wants them; add its kind to
 * report_table.h and its row here; and the row of an option whose target is
 * reports[REPORT_...] to src/cli/options/option_table.c, with its entry in man/etmerlin.1. */
#include "report/report_table.h"

#include "report/check/live_check.h"
#include "report/graph/heap_dump.h"
#include "report/graph/held.h"
#include "report/match/match_print.h"
#include "report/oracle/oracle.h"
#include "report/page/page.h"
#include "report/simulate/simulate.h"
#include "report/stats/stats_report.h"
#include "report/tables/bounds.h"
#include "report/tables/context_table.h"
#include "report/tables/dhat.h"
#include "report/tables/folded.h"
#include "report/tables/groups.h"
#include "report/tables/lifetimes.h"
#include "report/tables/live_table.h"
#include "report/tables/reference_table.h"

/* What reports with sums by site have in common, and those whose sums are of pairs, too. */
#define OF_SITES .shows_names = true, .sums = SUMS_OF_ALLOCATIONS
#define WANTS_OF_SITES (WANT_LIVES | WANT_CONTEXTS)
#define OF_PAIRS .shows_names = true, .sums = SUMS_OF_PAIRS
#define WANTS_OF_PAIRS (WANTS_OF_SITES | WANT_CAUSES | WANT_DEATH_SITES)

/* A row for each object. */
#define LIFETIMES                                                                              \
    .is_table = true,                                                                          \
    .wants = WANT_LIVES | WANT_CONTEXTS | WANT_SITES | WANT_CAUSES | WANT_DEATH_SITES,         \
    .shows_names = true, .begin = lifetimes_begin, .life = lifetimes_add_life,                 \
    .remark = lifetimes_remark, .release = lifetimes_release

static const struct report_class report_classes[REPORT_COUNT] = {
    [REPORT_REFERENCES] = {.is_table = true,
                           .wants = WANT_LIVES | WANT_REFERENCES,
                           .shows_names = true,
                           .finish = reference_table_finish},
    [REPORT_LIVE_CHECK] = {.reads = true,
                           .wants = WANT_LIVES | WANT_CLOCK,
                           .shows_names = true,
                           .begin = live_check_begin,
                           .life = live_check_add_life,
                           .finish = live_check_finish,
                           .release = live_check_release},
    [REPORT_LIFETIMES] = {LIFETIMES},
    [REPORT_COLUMNS] = {LIFETIMES, .is_folder = true},
    [REPORT_LIVE] = {.is_table = true, .wants = WANT_LIVES, .finish = live_finish},
    [REPORT_BOUNDS] = {.is_table = true, .of_reader_moments = true, .finish = bounds_finish},
    [REPORT_SIMULATE] = {.wants = WANT_LIVES,
                         .read = simulate_read,
                         .restart = simulate_release,
                         .begin = simulate_begin,
                         .life = simulate_add_life,
                         .finish = simulate_finish,
                         .remark = simulate_remark,
                         .release = simulate_release},
    [REPORT_STATS] = {OF_PAIRS, .wants = WANTS_OF_PAIRS | WANT_FIRST_USES | WANT_SITES,
                      .begin = stats_begin, .life = stats_add_life, .finish = stats_finish,
                      .release = stats_release},
    [REPORT_CONTEXTS] = {OF_SITES, .is_table = true, .wants = WANTS_OF_SITES,
                         .of = OF_MOMENTS_GIVEN, .begin = contexts_begin,
                         .finish = contexts_finish},
    [REPORT_FOLDED] = {OF_SITES, .wants = WANTS_OF_SITES, .of = OF_MOMENTS_GIVEN,
                       .finish = folded_finish},
    [REPORT_DHAT] = {OF_SITES, .wants = WANTS_OF_SITES, .finish = dhat_finish},
    [REPORT_GROUPS] = {.is_table = true,
                       .wants = WANT_LIVES | WANT_CAUSES | WANT_LOST_FIELDS,
                       .of_computed = true,
                       .shows_names = true,
                       .begin = groups_begin,
                       .life = groups_add_life,
                       .release = groups_release},
    [REPORT_PAGE] = {OF_PAIRS, .wants = WANTS_OF_PAIRS | WANT_FIRST_USES, .has_costs = true,
                     .begin = page_begin, .life = page_add_life, .finish = page_finish,
                     .release = page_release},
    [REPORT_HEAP_DUMP] = {.wants = WANT_LIVES,
                          .shows_names = true,
                          .keeps_ids = true,
                          .of = OF_THE_PEAK,
                          .finish = heap_dump_finish,
                          .remark = heap_dump_remark,
                          .release = heap_dump_release},
    [REPORT_HELD] = {.is_table = true,
                     .wants = WANT_LIVES,
                     .shows_names = true,
                     .of = OF_THE_END,
                     .begin = held_begin,
                     .finish = held_finish},
    [REPORT_MATCH_SITES] = {.finish = match_sites_finish},
};

/* The rows of --contexts and --folded whose contexts are not, or not only, of allocations. */
static const struct report_class contexts_of_deaths = {OF_PAIRS,
                                                       .is_table = true,
                                                       .wants = WANTS_OF_PAIRS,
                                                       .of_computed = true,
                                                       .of = OF_MOMENTS_GIVEN,
                                                       .begin = contexts_begin,
                                                       .finish = contexts_finish};
static const struct report_class folded_deaths = {OF_PAIRS, .wants = WANTS_OF_PAIRS,
                                                  .of_computed = true, .of = OF_MOMENTS_GIVEN,
                                                  .finish = folded_finish};

/* The rows of --oracle, by form and by what frees. */
#define ORACLE_EVENT_ROW(more)                                                                 \
    {.is_table = true,                                                                         \
     .wants = WANT_LIVES | (more),                                                             \
     .read = oracle_read,                                                                      \
     .restart = oracle_release,                                                                \
     .begin = oracle_events_begin,                                                             \
     .life = oracle_events_add_life,                                                           \
     .finish = oracle_events_finish,                                                           \
     .release = oracle_release}
#define ORACLE_OBJECT_ROW(more, reads)                                                         \
    {.is_table = true,                                                                         \
     .wants = WANT_LIVES | (more),                                                             \
     .shows_names = true,                                                                      \
     .read = reads,                                                                            \
     .restart = oracle_release,                                                                \
     .begin = oracle_objects_begin,                                                            \
     .life = oracle_objects_add_life,                                                          \
     .finish = oracle_objects_finish,                                                          \
     .release = oracle_release}

static const struct report_class oracle_classes[ORACLE_FORMS][ORACLE_FREES] = {
    [ORACLE_EVENTS] = {ORACLE_EVENT_ROW(0), ORACLE_EVENT_ROW(WANT_USE_RECORDS)},
    [ORACLE_OBJECTS] = {ORACLE_OBJECT_ROW(0, NULL), ORACLE_OBJECT_ROW(WANT_USE_COUNTS, NULL)},
    [ORACLE_THREADS] = {ORACLE_OBJECT_ROW(0, oracle_read),
                        ORACLE_OBJECT_ROW(WANT_USE_THREADS, NULL)},
};

const struct report_class *report_class_of(enum report_kind kind,
                                           const struct report_settings *settings)
{
    if (kind == REPORT_ORACLE)
        return &oracle_classes[settings->oracle_form][settings->oracle_free];
    if (kind == REPORT_CONTEXTS && settings->contexts_by != CONTEXTS_BY_ALLOCATION)
        return &contexts_of_deaths;
    if (kind == REPORT_FOLDED && settings->folded_by != CONTEXTS_BY_ALLOCATION)
        return &folded_deaths;
    return &report_classes[kind];
}
