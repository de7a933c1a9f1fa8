/* SPDX-License-Identifier: MIT */
/* How well recorded deaths agree with those computed under each of several assumptions. */
#ifndef ETMERLIN_REPORT_COMPARE_AGREEMENT_H
#define ETMERLIN_REPORT_COMPARE_AGREEMENT_H

#include "report/assumptions.h"
#include "report/compare/compare.h"
#include "report/print.h"

struct agreement {
    struct assumptions assumptions;
    struct compare_figures figures;
};

/* Sorts: first where most are the same, then where fewest deaths are left over, then in the
 * order in which the manual page lists the assumptions. */
void agreement_sort(struct agreement *agreements, size_t count);

/* Each prints the `count` agreements as they are sorted: as a table, as a JSON object whose
 * keys etmerlin(1), COMPARING, tells, and as lines of fields separated by tabs under a line of
 * names. */
void agreement_print_text(struct print *print, const struct alignment *alignment,
                          const struct agreement *agreements, size_t count);
void agreement_print_json(struct print *print, const struct alignment *alignment,
                          const struct agreement *agreements, size_t count);
void agreement_print_tsv(struct print *print, const struct agreement *agreements, size_t count);

#endif
