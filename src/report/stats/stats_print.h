/* SPDX-License-Identifier: MIT */
/* Prints the statistics in all forms, with their rankings: types, sites, methods and contexts,
 * the largest first. */
#ifndef ETMERLIN_REPORT_STATS_STATS_PRINT_H
#define ETMERLIN_REPORT_STATS_STATS_PRINT_H

#include "report/form/common.h"
#include "report/lives/stats.h"

/* Prints what matters of the statistics as text on one screen; `names` may be NULL. */
void stats_print_briefly(struct print *print, const struct stats *stats,
                         const struct names *names);

/* Prints all of them as JSON within a script element, without the rankings. */
void stats_print_in_html(struct print *print, const struct stats *stats);

/* Puts what comes after the origin, before the assumptions, and what comes after these, before
 * the rankings, of complete statistics. */
void stats_put_head(struct form *form, const struct stats *stats);
void stats_put(struct form *form, const struct stats *stats);

struct trace_origin stats_origin(const struct stats *stats);

/* Puts the rankings at the end of a document; `names` may be NULL. */
void rankings_put(struct form *form, const struct stats *stats, const struct names *names,
                  const struct ranking_choice *choice);

/* Puts the first `top` types, and types with the methods that allocate them, by bytes or, if
 * nothing has a size, by objects, and those of which most bytes die young; in 80 columns. */
void rankings_put_briefly(struct form *form, const struct stats *stats,
                          const struct names *names, size_t top);

/* Puts the types, methods and contexts into the data of the page, as "tables": the "count" of
 * each, and those with the most bytes as "rows". */
void rankings_put_for_page(struct form *form, const struct stats *stats,
                           const struct names *names);

/* Prints the figures of the whole trace as a table of one row; etmerlin-reports(5) lists its
 * columns. `with_names`: after a line with their names. */
void stats_print_row(struct print *print, const struct stats *stats, bool with_names);

/* The number of columns of that table. */
size_t stats_column_count(void);

/* Whether a line has the names of the columns of that table. */
bool stats_is_header(const char *line, size_t length);

/* Writes the row of a trace that failed, with its name, the version and the status; before it
 * the names of the columns, unless `has_names`. */
enum status stats_put_failed_row(struct sink *sink, const char *trace, bool has_names,
                                 struct failure *why) MUST_CHECK;

#endif
