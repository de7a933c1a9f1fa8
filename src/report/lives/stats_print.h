/* SPDX-License-Identifier: MIT */
/* The forms of the report of statistics. */
#ifndef ETMERLIN_REPORT_LIVES_STATS_PRINT_H
#define ETMERLIN_REPORT_LIVES_STATS_PRINT_H

#include "report/lives/stats.h"
#include "report/print.h"

/* Each prints the statistics, with what the rankings are to list, under
 * names if `names`, which may be NULL, has them: for people, and as a JSON object whose keys
 * etmerlin(1), REPORTS, tells. */
void stats_print_text(struct print *print, const struct stats *stats, const struct names *names,
                      const struct ranking_choice *choice);
void stats_print_json(struct print *print, const struct stats *stats, const struct names *names,
                      const struct ranking_choice *choice);

/* Prints the figures of the whole trace as a table of one row, whose columns etmerlin(1),
 * REPORTS, tells. */
void stats_print_row(struct print *print, const struct stats *stats);

#endif
