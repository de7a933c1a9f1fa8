/* SPDX-License-Identifier: MIT */
/* What the page shows of methods and types, as tables of its data. `names` may be NULL. */
#ifndef ETMERLIN_REPORT_PAGE_PAGE_ROWS_H
#define ETMERLIN_REPORT_PAGE_PAGE_ROWS_H

#include "report/form/document.h"
#include "report/page/page_curves.h"
#include "report/page/page_sites.h"

struct names;

/* Prints the methods with the most bytes, the most drag, and the most live bytes at the peak.
 */
void page_sites_print(struct document *document, const struct page_sites *sites,
                      const struct names *names);

/* Prints the pairs of methods (page_pairs.h) with the most bytes. */
void page_pairs_print(struct document *document, const struct site_sums *sums,
                      const struct names *names);

/* Prints the curves, that of all objects first, and the points of all of them. */
void page_curves_print(struct document *document, const struct page_curves *curves,
                       const struct names *names);

#endif
