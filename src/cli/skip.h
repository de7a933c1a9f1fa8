/* SPDX-License-Identifier: MIT */
/* Leaves out what an earlier run has done. */
#ifndef ETMERLIN_CLI_SKIP_H
#define ETMERLIN_CLI_SKIP_H

#include "cli/options.h"

/* Whether options->trace is to be left out: the options say so, and all outputs that they ask
 * for are there. With options->verbose it tells that. */
bool skip_finished(const struct options *options);

/* Tells how many were left out, unless the options forbid it. */
void skip_tell(const struct options *options, size_t skipped);

#endif
