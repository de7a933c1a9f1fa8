/* SPDX-License-Identifier: MIT */
/* Rows of a table of the statistics of several traces: those that an earlier call wrote, and
 * this one may keep, and those of traces that fail. */
#ifndef ETMERLIN_CLI_FILES_STATS_ROWS_H
#define ETMERLIN_CLI_FILES_STATS_ROWS_H

#include "cli/options/options.h"
#include "io/sink.h"

struct old_rows;

/* Reads the table `path`, which may be compressed. It begins with the names of the columns if
 * `has_names`, otherwise with the first row. *out is NULL if there is no such file. The caller
 * owns it (old_rows_free). STATUS_MEANING: it is no table of --stats with the columns of this
 * version, or with names where there are to be none. */
enum status old_rows_read(struct old_rows **out, const char *path, bool has_names,
                          struct failure *why) MUST_CHECK;

/* Sets *has to whether there is a row of `trace` that did not fail; for standard input ("-")
 * never, since its contents may be others. `rows` may be NULL: there are none. */
enum status old_rows_has(const struct old_rows *rows, const char *trace, bool *has,
                         struct failure *why) MUST_CHECK;

/* Writes the names of the columns, if the table has them, and the rows of all traces except the
 * `count` at `traces`. */
enum status old_rows_put_others(const struct old_rows *rows, struct sink *sink,
                                char *const *traces, size_t count,
                                struct failure *why) MUST_CHECK;

/* Writes the row of `trace`, which old_rows_has. */
enum status old_rows_put(const struct old_rows *rows, struct sink *sink, const char *trace,
                         struct failure *why) MUST_CHECK;

/* The name that the table has for a trace (NULL: standard input): the one that was given. */
const char *old_rows_trace_name(const char *trace);

/* NULL is allowed. */
void old_rows_free(struct old_rows *rows);

/* Whether the file at `path` is a table with rows, all of traces that failed; its first line
 * has the names of the columns if `has_names`. */
bool stats_are_of_failed(const char *path, bool has_names);

/* To be called if the statistics of options->trace have failed with `status`. If they were to
 * be a table in a file of their own, this file gets a row that says so, unless the program is
 * to end or the file exists and may not be replaced. Failures here are not reported, as the
 * first failure is. */
void failed_row_leave(const struct options *options, enum status status);

#endif
