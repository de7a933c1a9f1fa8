/* SPDX-License-Identifier: MIT */
/* Leaves out what an earlier run has done. */
#ifndef ETMERLIN_CLI_SKIP_H
#define ETMERLIN_CLI_SKIP_H

#include "cli/options.h"

/* The traces that are left to be done. */
struct unfinished {
    struct options options; /* those of the user, with these traces */
    char **traces;
    size_t skipped; /* so many are left out */
    bool is_none;   /* nothing is left, not even standard input */
};

/* Finds the traces of which some output that the options ask for is not there. They must
 * outlive *unfinished, which skip_free releases, also after a failure. With options->verbose it
 * tells of each trace that is left out. STATUS_MEANING: two outputs would be one file, so that
 * it could not be told which trace has been done. */
enum status skip_find(struct unfinished *unfinished, const struct options *options,
                      struct failure *why) MUST_CHECK;

/* Tells how many were left out, unless the options forbid it. */
void skip_tell(const struct unfinished *unfinished, const struct options *options);

void skip_free(struct unfinished *unfinished);

#endif
