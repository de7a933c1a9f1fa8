/* SPDX-License-Identifier: MIT */
/* All that is known of a kind of report but the option that asks for it stands in its row: what
 * is kept for it and passed to it, and the functions of its module, which the run calls
 * (reports.c).
 *
 * To add a report: write its module, of functions as report.h wants them; add its kind to
 * report_table.h and its row here; and the row of an option whose target is
 * reports[REPORT_...] to src/cli/options/option_table.c, with its entry in man/etmerlin.1. */
#include "report/report_table.h"

#include "report/check/live_check.h"
#include "report/graph/heap_dump.h"
#include "report/graph/held.h"
#include "report/match/match_print.h"
#include "report/oracle/oracle_events.h"
#include "report/oracle/oracle_objects.h"
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

/* The rows of --oracle: by form, and within each freeing by death, then by last use.
 * Versions of clang-format differ in braces of macros. */
/* clang-format off */
#define ORACLE_EVENT_ROWS(more_needs)                                                          \
    {.is_table = true,                                                                         \
     .needs = WANT_LIVES | REPORT_NEEDS_EVENTS | (more_needs),                                 \
     .begin = oracle_events_begin,                                                             \
     .finish = oracle_events_finish}
#define ORACLE_OBJECT_ROWS(more_needs)                                                         \
    {.is_table = true,                                                                         \
     .needs = WANT_LIVES | REPORT_NEEDS_NAMES | (more_needs),                                  \
     .begin = oracle_objects_begin,                                                            \
     .finish = oracle_objects_finish}
/* clang-format on */

static const struct report_class oracle_classes[ORACLE_FORMS][ORACLE_FREES] = {
    [ORACLE_EVENTS] = {ORACLE_EVENT_ROWS(0), ORACLE_EVENT_ROWS(WANT_USE_RECORDS)},
    [ORACLE_OBJECTS] = {ORACLE_OBJECT_ROWS(0), ORACLE_OBJECT_ROWS(WANT_USE_COUNTS)},
    [ORACLE_THREADS] = {ORACLE_OBJECT_ROWS(REPORT_NEEDS_EVENTS),
                        ORACLE_OBJECT_ROWS(WANT_USE_THREADS)},
};

/* What a row for each object needs. */
#define LIFETIMES_NEEDS                                                                        \
    (WANT_LIVES | REPORT_NEEDS_NAMES | WANT_CONTEXTS | WANT_SITES | WANT_CAUSES |              \
     WANT_DEATH_SITES)

/* What reports on sites of allocation have in common, and those that are also on sites of
 * death. */
#define SUMS_NEEDS (WANT_LIVES | REPORT_NEEDS_NAMES | WANT_CONTEXTS | REPORT_NEEDS_SUMS)
#define PAIRS_NEEDS (SUMS_NEEDS | REPORT_NEEDS_PAIRS | WANT_CAUSES | WANT_DEATH_SITES)

static const struct report_class report_classes[REPORT_COUNT] = {
    [REPORT_REFERENCES] = {.is_table = true,
                           .needs = WANT_LIVES | WANT_REFERENCES | REPORT_NEEDS_NAMES,
                           .finish = reference_table_finish},
    [REPORT_LIVE_CHECK] = {.reads = true,
                           .needs = WANT_LIVES | WANT_CLOCK | REPORT_NEEDS_NAMES,
                           .begin = live_check_begin,
                           .ended = live_check_ended,
                           .finish = live_check_finish,
                           .release = live_check_release},
    [REPORT_LIFETIMES] = {.is_table = true,
                          .needs = LIFETIMES_NEEDS,
                          .begin = lifetimes_begin,
                          .ended = lifetimes_ended,
                          .remark = lifetimes_remark,
                          .release = lifetimes_release},
    [REPORT_COLUMNS] = {.is_table = true,
                        .is_folder = true,
                        .needs = LIFETIMES_NEEDS,
                        .begin = lifetimes_begin,
                        .ended = lifetimes_ended,
                        .remark = lifetimes_remark,
                        .release = lifetimes_release},
    [REPORT_LIVE] = {.is_table = true, .needs = WANT_LIVES, .finish = live_finish},
    [REPORT_BOUNDS] = {.is_table = true,
                       .needs = REPORT_NEEDS_MOMENTS,
                       .finish = bounds_finish},
    [REPORT_SIMULATE] = {.needs = WANT_LIVES,
                         .read = simulate_read,
                         .restart = simulate_release,
                         .begin = simulate_begin,
                         .ended = simulate_ended,
                         .finish = simulate_finish,
                         .remark = simulate_remark,
                         .release = simulate_release},
    [REPORT_STATS] = {.needs = PAIRS_NEEDS | WANT_FIRST_USES | WANT_SITES,
                      .begin = stats_begin,
                      .ended = stats_ended,
                      .finish = stats_finish,
                      .release = stats_release},
    [REPORT_CONTEXTS] = {.is_table = true,
                         .needs = SUMS_NEEDS | REPORT_TAKES_MOMENT,
                         .begin = contexts_begin,
                         .finish = contexts_finish},
    [REPORT_FOLDED] = {.needs = SUMS_NEEDS | REPORT_TAKES_MOMENT, .finish = folded_finish},
    [REPORT_DHAT] = {.needs = SUMS_NEEDS, .finish = dhat_finish},
    [REPORT_GROUPS] = {.is_table = true,
                       .needs = WANT_LIVES | REPORT_NEEDS_COMPUTED | REPORT_NEEDS_NAMES |
                                WANT_CAUSES | WANT_LOST_FIELDS,
                       .begin = groups_begin,
                       .ended = groups_ended,
                       .release = groups_release},
    [REPORT_PAGE] = {.needs = PAIRS_NEEDS | WANT_FIRST_USES | REPORT_NEEDS_COSTS,
                     .begin = page_begin,
                     .ended = page_ended,
                     .finish = page_finish,
                     .release = page_release},
    [REPORT_HEAP_DUMP] = {.needs = WANT_LIVES | REPORT_NEEDS_NAMES | REPORT_NEEDS_GRAPHS |
                                   REPORT_KEEPS_IDS,
                          .finish = heap_dump_finish,
                          .remark = heap_dump_remark,
                          .release = heap_dump_release},
    [REPORT_HELD] = {.is_table = true,
                     .needs = WANT_LIVES | REPORT_NEEDS_NAMES | REPORT_NEEDS_GRAPHS,
                     .at = HEAP_AT_END,
                     .begin = held_begin,
                     .finish = held_finish},
    [REPORT_MATCH_SITES] = {.finish = match_sites_finish},
};

/* The rows of reports by context whose contexts are not those of allocations. */
static const struct report_class contexts_of_deaths = {
    .is_table = true,
    .needs = PAIRS_NEEDS | REPORT_NEEDS_COMPUTED | REPORT_TAKES_MOMENT,
    .begin = contexts_begin,
    .finish = contexts_finish};
static const struct report_class folded_deaths = {.needs = PAIRS_NEEDS | REPORT_NEEDS_COMPUTED |
                                                           REPORT_TAKES_MOMENT,
                                                  .finish = folded_finish};

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
