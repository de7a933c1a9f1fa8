/* SPDX-License-Identifier: MIT */
/* Collects what the processes of several traces write to standard output, and the rows of a
 * table of their statistics: those that an earlier call wrote, and this one may keep, and those
 * of traces that fail. */
#ifndef ETMERLIN_CLI_FILES_COLLECTION_H
#define ETMERLIN_CLI_FILES_COLLECTION_H

#include "cli/files/outputs.h"
#include "cli/options/options.h"
#include "io/sink.h"

/* Whether the file at `path` is a table with rows, all of traces that failed; its first line
 * has the names of the columns if `has_names`. */
bool stats_are_of_failed(const char *path, bool has_names);

/* To be called if `stats`, the statistics of options->trace (NULL: there are none), have failed
 * with `status`. If they were to be a table in a file of their own, this file gets a row that
 * says so, unless the program is to end or the file exists and may not be replaced. Failures
 * here are not reported, as the first failure is. */
void failed_row_leave(const struct options *options, const struct output *stats,
                      enum status status);

struct collection;

/* Opens the output. If each process writes a table, and all have the same first line, it is the
 * file `table` ("-": standard output); otherwise `table` is NULL, and reports go to standard
 * output. With --skip-existing, the rows of an existing table are kept (old_rows_read). *out is
 * NULL if no process writes to standard output; all functions here accept that. The caller ends
 * *out (collection_close); the options and `table` must outlive it. STATUS_MEANING: the output
 * would replace a trace. */
enum status collection_open(struct collection **out, const struct options *options,
                            const char *table, struct failure *why) MUST_CHECK;

/* Whether the process of `trace`, an index into options->traces, may be started: false while
 * too many finished traces wait for an earlier one. */
bool collection_has_room(const struct collection *collection, size_t trace);

/* Prepares for what the process of `trace` will write. To be called in the order of traces,
 * before the process is started. Sets *has_row to whether the table has the row of the trace
 * from an earlier call: it is kept, and the process must not write one. */
enum status collection_begin(struct collection *collection, size_t trace, bool *has_row,
                             struct failure *why) MUST_CHECK;

/* In the process of `trace`: redirects standard output to its file. */
enum status collection_redirect(const struct collection *collection, size_t trace,
                                struct failure *why) MUST_CHECK;

/* To be called when the process of `trace` has ended. What it has written is kept if `is_good`,
 * and copied to the output after all earlier traces have ended. */
enum status collection_end(struct collection *collection, size_t trace, bool is_good,
                           struct failure *why) MUST_CHECK;

/* To be called when all processes have ended: completes the output. A table without a new row
 * is not written. */
enum status collection_commit(struct collection *collection, struct failure *why) MUST_CHECK;

void collection_close(struct collection *collection);

#endif
