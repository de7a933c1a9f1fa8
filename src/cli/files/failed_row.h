/* SPDX-License-Identifier: MIT */
/* The table of a trace that failed. */
#ifndef ETMERLIN_CLI_FILES_FAILED_ROW_H
#define ETMERLIN_CLI_FILES_FAILED_ROW_H

#include "cli/options/options.h"

/* The statistics of options->trace have failed with `status`. If they were to be a table in a
 * file of its own, whose name options->reports has, that file gets a row which says so, unless
 * the program is to end or something else is there. What fails here is not reported: the reason
 * for the first failure is. */
void failed_row_leave(const struct options *options, enum status status);

#endif
