/* SPDX-License-Identifier: MIT */
/* The reports of comparisons. */
#ifndef ETMERLIN_REPORT_COMPARE_COMPARE_PRINT_H
#define ETMERLIN_REPORT_COMPARE_COMPARE_PRINT_H

#include "report/compare/compare.h"
#include "report/form/common.h"

/* Prints figures, then the first `show` differing allocations and the first `show` recorded
 * deaths that belong to none, in the order of their files; etmerlin-reports(5) has the
 * keys. A table has a line an allocation. */
void compare_print(struct print *print, enum report_format format,
                   const struct comparison *comparison, const struct trace_origin *origin,
                   uint64_t show);

/* Prints the `count` agreements as they are sorted. */
void compare_print_all(struct print *print, enum report_format format,
                       const struct alignment *alignment, const struct trace_origin *origin,
                       const struct agreement *agreements, size_t count);

/* The sections after the origin: how deaths were aligned; then of a comparison, after the
 * assumptions, or of agreements. */
extern const struct section alignment_sections[], compare_sections[], agreement_sections[];

#endif
