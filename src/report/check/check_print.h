/* SPDX-License-Identifier: MIT */
/* The check of an oracle as a document. */
#ifndef ETMERLIN_REPORT_CHECK_CHECK_PRINT_H
#define ETMERLIN_REPORT_CHECK_CHECK_PRINT_H

#include "report/check/check.h"
#include "report/form/common.h"

/* What the trace was checked against. */
struct check_names {
    const char *oracle;
    const char *lifetimes; /* the trace's format, if it records no uses; else NULL */
};

/* Prints the report, with at most `show` allocations and `show` rows that have faults;
 * etmerlin-reports(5) has the keys. */
void check_print(struct print *print, enum report_format format, const struct check *check,
                 const struct check_names *names, const struct trace_origin *origin,
                 uint64_t show);

/* The sections after the origin. */
extern const struct section check_sections[];

#endif
