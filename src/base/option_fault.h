/* SPDX-License-Identifier: MIT */
/* What is wrong with an option on the command line. */
#ifndef ETMERLIN_BASE_OPTION_FAULT_H
#define ETMERLIN_BASE_OPTION_FAULT_H

#include "base/status.h"

#include <getopt.h>

/* Sets *why to what getopt_long did not understand of the argument `word`, words[optind - 1],
 * and which option may have been meant. getopt_long has returned `result`, ':' or '?', for the
 * options in `table`, with opterr 0 and ":" or "+:" before the short ones. Always
 * STATUS_MEANING. */
enum status option_fault(int result, const char *word, const struct option *table,
                         struct failure *why);

#endif
