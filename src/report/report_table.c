/* SPDX-License-Identifier: MIT */
/* Everything about a kind of report is in the class that its module defines, except the option
 * that asks for it. So no other code needs to know the module. */
#include "report/report_table.h"

static const struct report_class *const classes[REPORT_COUNT] = {
    [REPORT_BOUNDS] = &bounds_report,         [REPORT_COLUMNS] = &columns_report,
    [REPORT_CONTEXTS] = &contexts_report,     [REPORT_DHAT] = &dhat_report,
    [REPORT_FOLDED] = &folded_report,         [REPORT_GROUPS] = &groups_report,
    [REPORT_HEAP_DUMP] = &heap_dump_report,   [REPORT_HELD] = &held_report,
    [REPORT_LIFETIMES] = &lifetimes_report,   [REPORT_LIVE] = &live_report,
    [REPORT_LIVE_CHECK] = &live_check_report, [REPORT_MATCH_SITES] = &match_sites_report,
    [REPORT_ORACLE] = &oracle_reports[0][0],  [REPORT_PAGE] = &page_report,
    [REPORT_REFERENCES] = &references_report, [REPORT_SIMULATE] = &simulate_report,
    [REPORT_STATS] = &stats_report,
};

const struct report_class *report_class_of(enum report_kind kind,
                                           const struct report_settings *settings)
{
    if (kind == REPORT_ORACLE)
        return &oracle_reports[settings->oracle_form][settings->oracle_free];
    if (kind == REPORT_CONTEXTS && settings->contexts_by != CONTEXTS_BY_ALLOCATION)
        return &contexts_of_deaths_report;
    if (kind == REPORT_FOLDED && settings->folded_by != CONTEXTS_BY_ALLOCATION)
        return &folded_deaths_report;
    return classes[kind];
}
