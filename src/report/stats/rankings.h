/* SPDX-License-Identifier: MIT */
/* The rankings of the statistics: types, sites, methods and contexts, the largest first. */
#ifndef ETMERLIN_REPORT_STATS_RANKINGS_H
#define ETMERLIN_REPORT_STATS_RANKINGS_H

#include "report/form/document.h"
#include "report/lives/stats.h"

/* Prints the rankings at the end of a document; `names` may be NULL. */
void rankings_print(struct document *document, const struct stats *stats,
                    const struct names *names, const struct ranking_choice *choice);

/* Prints the first `top` types, and types with the methods that allocate them, by bytes or, if
 * nothing has a size, by objects, and those of which most bytes die young; in 80 columns. */
void rankings_print_briefly(struct document *document, const struct stats *stats,
                            const struct names *names, size_t top);

/* Prints the types, methods and contexts into the data of the page, as "tables": the "count" of
 * each, and those with the most bytes as "rows". */
void rankings_print_for_page(struct document *document, const struct stats *stats,
                             const struct names *names);

/* All rankings of the JSON. */
extern const struct section ranking_sections[];

#endif
