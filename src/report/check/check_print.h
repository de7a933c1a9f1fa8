/* SPDX-License-Identifier: MIT */
/* The check of an oracle as text and as JSON. */
#ifndef ETMERLIN_REPORT_CHECK_CHECK_PRINT_H
#define ETMERLIN_REPORT_CHECK_CHECK_PRINT_H

#include "report/check/check.h"
#include "report/print.h"

/* What was checked against what. */
struct check_names {
    const char *trace;
    const char *oracle;
    const char *lifetimes; /* the trace's format, if it tells of no uses; else NULL */
};

/* Print the report, with at most `show` allocations and `show` rows that have faults. */
void check_print_text(struct print *print, const struct check *check,
                      const struct check_names *names, uint64_t show);
void check_print_json(struct print *print, const struct check *check,
                      const struct check_names *names, uint64_t show);

#endif
