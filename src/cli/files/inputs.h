/* SPDX-License-Identifier: MIT */
/* The inputs of a run in addition to its trace. */
#ifndef ETMERLIN_CLI_FILES_INPUTS_H
#define ETMERLIN_CLI_FILES_INPUTS_H

#include "cli/options/options.h"
#include "formats/list_search.h"

/* To be called when all outputs are open. STATUS_MEANING: one of them would replace a file that
 * is read: the trace `source` (unless it is to be replaced), another file of a trace that is a
 * folder, the table of sizes, the file of --live-check, or a name list. *why names the file. */
enum status inputs_protect(const struct options *options, const struct reader *reader,
                           const struct source *source, struct failure *why) MUST_CHECK;

/* The name lists that the options ask for, for the trace that `reader` reads. */
struct lists_wanted inputs_lists(const struct options *options, const struct reader *reader);

/* Protects the name lists that are `wanted` from outputs. */
enum status inputs_protect_lists(const struct lists_wanted *wanted,
                                 struct failure *why) MUST_CHECK;

/* Protects the second input `path` ("-": standard input) of a report. STATUS_MEANING: the
 * report would replace it; *why says that it would go to `what`. */
enum status inputs_protect_second(const char *path, const char *what,
                                  struct failure *why) MUST_CHECK;

#endif
