/* SPDX-License-Identifier: MIT */
/* Leaves out what an earlier run has done. */
#ifndef ETMERLIN_CLI_FILES_SKIP_H
#define ETMERLIN_CLI_FILES_SKIP_H

#include "cli/options/options.h"

/* Has the options ask for those outputs of options->trace alone that are not there, if they say
 * so. `has_row`: the table of all traces, which the options name "-", has its row. True: all
 * are there, and the trace is to be left out. With options->verbose it is reported. */
bool skip_finished(struct options *options, bool has_row);

/* Reports how many were left out, unless the options forbid it. */
void skip_tell(const struct options *options, size_t skipped);

#endif
