/* SPDX-License-Identifier: MIT */
/* The population as a section of a document, and as columns of a row. */
#ifndef ETMERLIN_REPORT_STATS_POPULATION_PRINT_H
#define ETMERLIN_REPORT_STATS_POPULATION_PRINT_H

#include "report/form/document.h"
#include "report/lives/population.h"
#include "report/table.h"

/* The document of a struct population; etmerlin-reports(5) has the keys. */
extern const struct section population_sections[];

/* Puts its figures into the row of a table, in the order of the document. */
void population_put_columns(struct table *table, const struct population *population);

#endif
