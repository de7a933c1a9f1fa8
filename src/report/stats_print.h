/* The forms of the report of statistics. */
#ifndef ETMERLIN_REPORT_STATS_PRINT_H
#define ETMERLIN_REPORT_STATS_PRINT_H

#include "report/print.h"
#include "report/stats.h"

/* Each prints the statistics, with the first `top` types and sites of each ranking, under their
 * names if `names`, which may be NULL, has them: for people, and as a JSON object whose keys
 * etmerlin(1), REPORTS, tells. */
void stats_print_text(struct print *print, const struct stats *stats, const struct names *names,
                      size_t top);
void stats_print_json(struct print *print, const struct stats *stats, const struct names *names,
                      size_t top);

#endif
