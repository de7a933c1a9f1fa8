/* SPDX-License-Identifier: MIT */
/* What the processes of several traces write to standard output. */
#ifndef ETMERLIN_CLI_FILES_COLLECTION_H
#define ETMERLIN_CLI_FILES_COLLECTION_H

#include "cli/options/options.h"

struct collection;

/* Opens the output: `table`, "-" for standard output, if each process writes a table that has
 * the same first line; else (NULL) standard output for reports. A table that is there already
 * is added to if the options leave out what is there (old_rows_read). *out is NULL if no
 * process writes to standard output: each function here may be called with that. The caller
 * ends *out (collection_close); the options must outlive it. STATUS_MEANING: the output would
 * take the place of a trace. */
enum status collection_open(struct collection **out, const struct options *options,
                            const char *table, struct failure *why) MUST_CHECK;

/* Whether `trace`, by its place among options->traces, can begin: not too many before it wait
 * for one that takes long. */
bool collection_has_room(const struct collection *collection, size_t trace);

/* Makes room for what the process of `trace` will write. To be called in this order of traces,
 * before the process is there. *has_row: the table has its row from an earlier call, which is
 * kept; the process is not to write one. */
enum status collection_begin(struct collection *collection, size_t trace, bool *has_row,
                             struct failure *why) MUST_CHECK;

/* In the process of `trace`: lets standard output lead there. */
enum status collection_redirect(const struct collection *collection, size_t trace,
                                struct failure *why) MUST_CHECK;

/* The process of `trace` has ended. What it has written is kept if `is_good`; it is copied to
 * the output as soon as the traces before have ended. */
enum status collection_end(struct collection *collection, size_t trace, bool is_good,
                           struct failure *why) MUST_CHECK;

/* All have ended: completes the output. A table without a new row is not written. */
enum status collection_commit(struct collection *collection, struct failure *why) MUST_CHECK;

void collection_close(struct collection *collection);

#endif
