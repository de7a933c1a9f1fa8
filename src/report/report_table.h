/* SPDX-License-Identifier: MIT */
/* The kinds of reports. */
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

/* What the table says of a kind, for the form that the settings want. */
const struct report_class *report_class_of(enum report_kind kind,
                                           const struct report_settings *settings);

#endif
