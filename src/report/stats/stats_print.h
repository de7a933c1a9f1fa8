/* SPDX-License-Identifier: MIT */
/* The forms of the report of statistics. */
#ifndef ETMERLIN_REPORT_STATS_STATS_PRINT_H
#define ETMERLIN_REPORT_STATS_STATS_PRINT_H

#include "report/form/common.h"
#include "report/lives/stats.h"

/* Prints the statistics, with what the rankings are to list, under names if `names`, which may
 * be NULL, has them; etmerlin-reports(5) has the keys. */
void stats_print(struct print *print, enum report_format format, const struct stats *stats,
                 const struct names *names, const struct ranking_choice *choice);

/* Prints the JSON of the same, but for the rankings, within a script element. */
void stats_print_in_html(struct print *print, const struct stats *stats);

/* The sections of a struct stated after the origin, before and after the assumptions; then come
 * rankings. */
extern const struct section stats_head_sections[], stats_sections[];

/* What the sections show of complete statistics, which must outlive it; the caller owns it
 * (free). NULL: no memory. */
struct stated *stats_state(const struct stats *stats) MUST_CHECK;

struct trace_origin stats_origin(const struct stats *stats);

/* Prints the figures of the whole trace as a table of one row, whose columns
 * etmerlin-reports(5) lists, with or without a line of their names. */
void stats_print_row(struct print *print, const struct stats *stats, bool with_names);

/* How many columns it has. */
size_t stats_column_count(void);

/* Whether a line is that of the names of the columns of this table. */
bool stats_is_header(const char *line, size_t length);

/* Puts the row of a trace that failed into a table, after the names of the columns unless
 * `has_names`: its name, the version and the status are known. */
enum status stats_put_failed_row(struct sink *sink, const char *trace, bool has_names,
                                 struct failure *why) MUST_CHECK;

#endif
