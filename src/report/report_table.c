/* SPDX-License-Identifier: MIT */
/* All that is known of a kind of report but the option that asks for it stands in its row: what
 * is kept and told for it, and the functions of its module, which the run calls (reports.c).
 *
 * To add a report: write its module, of functions as report.h wants them; add its kind to
 * report_table.h and its row here; and the row of an option whose target is
 * reports[REPORT_...] to src/cli/option_table.c, with its entry in man/etmerlin.1. */
#include "report/report_table.h"

#include "report/lives/bounds.h"
#include "report/lives/context_table.h"
#include "report/lives/dhat.h"
#include "report/lives/folded.h"
#include "report/lives/groups.h"
#include "report/lives/lifetimes.h"
#include "report/lives/live_check.h"
#include "report/lives/live_table.h"
#include "report/lives/oracle.h"
#include "report/lives/oracle_events.h"
#include "report/lives/oracle_objects.h"
#include "report/lives/oracle_stored.h"
#include "report/lives/oracle_threads.h"
#include "report/lives/page.h"
#include "report/lives/reference_table.h"
#include "report/lives/stats_report.h"

/* The rows of --oracle: by form, and within each freeing by death, then by last use. */
#define ORACLE_OBJECT_ROWS(more_needs)                                                         \
    {                                                                                          \
        .is_table = true, .needs = REPORT_NEEDS_LIVES | REPORT_NEEDS_NAMES | (more_needs),     \
        .begin = oracle_objects_begin, .allocated = oracle_objects_allocated,                  \
        .release = oracle_objects_release                                                      \
    }
#define ORACLE_THREAD_ROWS(more_needs)                                                         \
    {                                                                                          \
        .is_table = true, .needs = REPORT_NEEDS_LIVES | REPORT_NEEDS_NAMES | (more_needs),     \
        .begin = oracle_threads_begin, .allocated = oracle_threads_allocated,                  \
        .boundary = oracle_threads_boundary, .finish = oracle_threads_finish,                  \
        .release = oracle_threads_release                                                      \
    }

static const struct report_class oracle_classes[ORACLE_FORMS][ORACLE_FREES] = {
    [ORACLE_EVENTS] = {{.is_table = true,
                        .needs = REPORT_NEEDS_LIVES | REPORT_NEEDS_EVENTS,
                        .begin = oracle_begin,
                        .allocated = oracle_allocated,
                        .died = oracle_died,
                        .release = oracle_release},
                       {.is_table = true,
                        .needs =
                            REPORT_NEEDS_LIVES | REPORT_NEEDS_EVENTS | REPORT_NEEDS_USE_RECORDS,
                        .begin = oracle_uses_begin,
                        .allocated = oracle_uses_allocated,
                        .died = oracle_uses_died,
                        .finish = oracle_uses_finish,
                        .release = oracle_release}},
    [ORACLE_OBJECTS] = {ORACLE_OBJECT_ROWS(0),
                        ORACLE_OBJECT_ROWS(REPORT_NEEDS_USE_ALLOCATIONS)},
    [ORACLE_THREADS] = {ORACLE_THREAD_ROWS(0), ORACLE_THREAD_ROWS(REPORT_NEEDS_USE_THREADS)},
};

/* What reports on places of allocation have in common. */
#define PLACES_NEEDS                                                                           \
    (REPORT_NEEDS_LIVES | REPORT_NEEDS_NAMES | REPORT_NEEDS_CONTEXTS | REPORT_NEEDS_PLACES)

static const struct report_class report_classes[REPORT_COUNT] = {
    [REPORT_LIFETIMES] = {.is_table = true,
                          .needs = REPORT_NEEDS_LIVES | REPORT_NEEDS_NAMES |
                                   REPORT_NEEDS_CONTEXTS | REPORT_NEEDS_SITES |
                                   REPORT_NEEDS_CAUSES,
                          .begin = lifetimes_begin,
                          .allocated = lifetimes_allocated,
                          .release = lifetimes_release},
    [REPORT_COLUMNS] = {.is_table = true,
                        .is_folder = true,
                        .needs = REPORT_NEEDS_LIVES | REPORT_NEEDS_NAMES |
                                 REPORT_NEEDS_CONTEXTS | REPORT_NEEDS_SITES |
                                 REPORT_NEEDS_CAUSES,
                        .begin = lifetimes_begin,
                        .allocated = lifetimes_allocated,
                        .release = lifetimes_release},
    [REPORT_GROUPS] = {.is_table = true,
                       .needs =
                           REPORT_NEEDS_LIVES | REPORT_NEEDS_COMPUTED | REPORT_NEEDS_CAUSES,
                       .aside = groups_finish},
    [REPORT_REFERENCES] = {.is_table = true,
                           .needs = REPORT_NEEDS_LIVES | REPORT_NEEDS_REFERENCES,
                           .aside = reference_table_finish},
    [REPORT_LIVE] = {.is_table = true, .needs = REPORT_NEEDS_LIVES, .aside = live_finish},
    [REPORT_BOUNDS] = {.is_table = true,
                       .needs = REPORT_NEEDS_MOMENTS,
                       .finish = bounds_finish},
    [REPORT_CONTEXTS] = {.is_table = true,
                         .needs = PLACES_NEEDS,
                         .begin = contexts_begin,
                         .finish = contexts_finish},
    [REPORT_STATS] = {.needs = PLACES_NEEDS | REPORT_NEEDS_FIRST_USES | REPORT_NEEDS_SITES |
                               REPORT_NEEDS_CAUSES,
                      .begin = stats_begin,
                      .aside = stats_aside,
                      .allocated = stats_allocated_next,
                      .finish = stats_finish,
                      .release = stats_release},
    [REPORT_LIVE_CHECK] = {.reads = true,
                           .needs = REPORT_NEEDS_LIVES | REPORT_NEEDS_NAMES,
                           .begin = live_check_begin,
                           .allocated = live_check_allocated,
                           .finish = live_check_finish,
                           .release = live_check_release},
    [REPORT_FOLDED] = {.needs = PLACES_NEEDS, .finish = folded_finish},
    [REPORT_DHAT] = {.needs = PLACES_NEEDS, .finish = dhat_finish},
    [REPORT_PAGE] = {.needs = PLACES_NEEDS | REPORT_NEEDS_FIRST_USES | REPORT_NEEDS_CAUSES,
                     .begin = page_begin,
                     .aside = page_aside,
                     .allocated = page_allocated,
                     .finish = page_finish,
                     .release = page_release},
};

/* Of stored lives. */
static const struct report_class stored_classes[REPORT_COUNT] = {
    [REPORT_LIFETIMES] = {.is_table = true,
                          .needs = REPORT_NEEDS_LIVES | REPORT_NEEDS_NAMES |
                                   REPORT_NEEDS_CONTEXTS | REPORT_NEEDS_SITES |
                                   REPORT_NEEDS_CAUSES,
                          .begin = lifetimes_begin,
                          .ended = lifetimes_ended,
                          .release = lifetimes_release},
    [REPORT_COLUMNS] = {.is_table = true,
                        .is_folder = true,
                        .needs = REPORT_NEEDS_LIVES | REPORT_NEEDS_NAMES |
                                 REPORT_NEEDS_CONTEXTS | REPORT_NEEDS_SITES |
                                 REPORT_NEEDS_CAUSES,
                        .begin = lifetimes_begin,
                        .ended = lifetimes_ended,
                        .release = lifetimes_release},
    [REPORT_LIVE] = {.is_table = true, .needs = REPORT_NEEDS_LIVES, .finish = live_finish},
    [REPORT_BOUNDS] = {.is_table = true,
                       .needs = REPORT_NEEDS_MOMENTS,
                       .finish = bounds_finish},
    [REPORT_STATS] = {.needs = PLACES_NEEDS | REPORT_NEEDS_FIRST_USES | REPORT_NEEDS_SITES |
                               REPORT_NEEDS_CAUSES,
                      .begin = stats_begin,
                      .ended = stats_ended,
                      .finish = stats_finish,
                      .release = stats_release},
    [REPORT_CONTEXTS] = {.is_table = true,
                         .needs = PLACES_NEEDS,
                         .begin = contexts_begin,
                         .finish = contexts_finish},
    [REPORT_FOLDED] = {.needs = PLACES_NEEDS, .finish = folded_finish},
};

#define STORED_OBJECT_ROWS(more_needs)                                                         \
    {                                                                                          \
        .is_table = true, .needs = REPORT_NEEDS_LIVES | REPORT_NEEDS_NAMES | (more_needs),     \
        .begin = oracle_stored_objects_begin, .ended = oracle_stored_objects_ended,            \
        .finish = oracle_stored_objects_finish, .release = oracle_stored_release               \
    }
#define STORED_THREAD_ROWS(more_needs)                                                         \
    {                                                                                          \
        .is_table = true, .needs = REPORT_NEEDS_LIVES | REPORT_NEEDS_NAMES | (more_needs),     \
        .begin = oracle_stored_threads_begin, .allocated = oracle_stored_threads_allocated,    \
        .boundary = oracle_stored_threads_boundary, .died = oracle_stored_threads_died,        \
        .finish = oracle_stored_threads_finish, .release = oracle_stored_release               \
    }

static const struct report_class stored_oracle_classes[ORACLE_FORMS][ORACLE_FREES] = {
    [ORACLE_EVENTS] = {{.is_table = true,
                        .needs = REPORT_NEEDS_LIVES | REPORT_NEEDS_EVENTS,
                        .begin = oracle_stored_begin_deaths,
                        .allocated = oracle_stored_allocated,
                        .died = oracle_stored_died,
                        .release = oracle_events_release},
                       {.is_table = true,
                        .needs =
                            REPORT_NEEDS_LIVES | REPORT_NEEDS_EVENTS | REPORT_NEEDS_USE_RECORDS,
                        .begin = oracle_stored_begin_uses,
                        .ended = oracle_stored_use_ended,
                        .allocated = oracle_stored_use_allocated,
                        .died = oracle_stored_use_died,
                        .finish = oracle_stored_use_finish,
                        .release = oracle_events_release}},
    [ORACLE_OBJECTS] = {STORED_OBJECT_ROWS(0),
                        STORED_OBJECT_ROWS(REPORT_NEEDS_USE_ALLOCATIONS)},
    [ORACLE_THREADS] = {STORED_THREAD_ROWS(0), STORED_THREAD_ROWS(REPORT_NEEDS_USE_THREADS)},
};

const struct report_class *report_class_of(enum report_kind kind,
                                           const struct report_settings *settings)
{
    if (kind == REPORT_ORACLE)
        return &oracle_classes[settings->oracle_form][settings->oracle_free];
    return &report_classes[kind];
}

/* Whether there is a class for a kind: each has something to do at the end or before. */
static bool is_report_class(const struct report_class *found)
{
    return found->ended || found->finish;
}

const struct report_class *report_class_stored(enum report_kind kind,
                                               const struct report_settings *settings)
{
    if (kind == REPORT_ORACLE)
        return &stored_oracle_classes[settings->oracle_form][settings->oracle_free];
    const struct report_class *found = &stored_classes[kind];
    return is_report_class(found) ? found : NULL;
}
