/* SPDX-License-Identifier: MIT */
/* The rows of a table of the statistics of several traces: those that an earlier call has
 * written and a later one can keep, and that of a trace that failed. */
#ifndef ETMERLIN_CLI_FILES_STATS_ROWS_H
#define ETMERLIN_CLI_FILES_STATS_ROWS_H

#include "cli/options/options.h"
#include "io/sink.h"

struct old_rows;

/* Reads the table `path`, which may be compressed, and begins with the names of its columns or,
 * unless `has_names`, has rows alone; *out is NULL if there is no such file. The caller owns it
 * (old_rows_free). STATUS_MEANING: it is no table of --stats with the columns of this version,
 * or with names where there are to be none. */
enum status old_rows_read(struct old_rows **out, const char *path, bool has_names,
                          struct failure *why) MUST_CHECK;

/* *has: whether there is a row of `trace`, of a run that did not fail. What standard input
 * ("-") has is never known to be the same. NULL has no rows. */
enum status old_rows_has(const struct old_rows *rows, const char *trace, bool *has,
                         struct failure *why) MUST_CHECK;

/* Writes the names of the columns, if it has them, and the rows of all traces but the `count`
 * at `traces`. */
enum status old_rows_put_others(const struct old_rows *rows, struct sink *sink,
                                char *const *traces, size_t count,
                                struct failure *why) MUST_CHECK;

/* Writes the row of `trace`, which old_rows_has. */
enum status old_rows_put(const struct old_rows *rows, struct sink *sink, const char *trace,
                         struct failure *why) MUST_CHECK;

/* What the table calls a trace (NULL: standard input): its name as it was given. */
const char *old_rows_trace_name(const char *trace);

/* NULL is allowed. */
void old_rows_free(struct old_rows *rows);

/* The statistics of options->trace have failed with `status`. If they were to be a table in a
 * file of its own, whose name options->reports has, that file gets a row which says so, unless
 * the program is to end or something else is there. What fails here is not reported: the reason
 * for the first failure is. */
void failed_row_leave(const struct options *options, enum status status);

#endif
