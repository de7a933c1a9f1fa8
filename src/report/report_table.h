/* SPDX-License-Identifier: MIT */
/* The kinds of reports. Each is a class that its module defines.
 *
 * To add a report: write its module, with a class as in report.h; declare the class here and
 * add its kind; add its line in report_table.c; add the row of an option whose target is
 * reports[REPORT_...] to src/cli/options/option_table.c, and its entry to man/etmerlin.1. */
#ifndef ETMERLIN_REPORT_REPORT_TABLE_H
#define ETMERLIN_REPORT_REPORT_TABLE_H

#include "report/report.h"

enum report_kind {
    REPORT_LIFETIMES,
    REPORT_COLUMNS,
    REPORT_GROUPS,
    REPORT_REFERENCES,
    REPORT_LIVE,
    REPORT_BOUNDS,
    REPORT_SIMULATE,
    REPORT_ORACLE,
    REPORT_STATS,
    REPORT_CONTEXTS,
    REPORT_LIVE_CHECK,
    REPORT_FOLDED,
    REPORT_DHAT,
    REPORT_PAGE,
    REPORT_HEAP_DUMP,
    REPORT_HELD,
    REPORT_MATCH_SITES,
    REPORT_COUNT
};

extern const struct report_class bounds_report, columns_report, contexts_report,
    contexts_of_deaths_report, dhat_report, folded_report, folded_deaths_report, groups_report,
    heap_dump_report, held_report, lifetimes_report, live_report, live_check_report,
    match_sites_report, oracle_reports[ORACLE_FORMS][ORACLE_FREES], page_report,
    references_report, simulate_report, stats_report;

/* The class of a kind, in the variant that the settings ask for. */
const struct report_class *report_class_of(enum report_kind kind,
                                           const struct report_settings *settings);

/* Whether pages can be made: the program was built with the chart library. */
bool page_is_built(void);

#endif
