/* SPDX-License-Identifier: MIT */
/* The rankings of the statistics: types, sites, methods and contexts, the largest first. */
#ifndef ETMERLIN_REPORT_STATS_RANKINGS_H
#define ETMERLIN_REPORT_STATS_RANKINGS_H

#include "report/form/document.h"
#include "report/lives/stats.h"

/* Prints them at the end of a document; `names` may be NULL. */
void rankings_print(struct document *document, const struct stats *stats,
                    const struct names *names, const struct ranking_choice *choice);

/* Prints those of types, methods and contexts that the page has into its data, as "tables": for
 * each their "count", and the first by bytes as "rows". */
void rankings_print_for_page(struct document *document, const struct stats *stats,
                             const struct names *names);

/* All that JSON has of them. */
extern const struct section ranking_sections[];

#endif
