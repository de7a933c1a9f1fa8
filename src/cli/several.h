/* SPDX-License-Identifier: MIT */
/* Several traces in one call, each in a process of its own. */
#ifndef ETMERLIN_CLI_SEVERAL_H
#define ETMERLIN_CLI_SEVERAL_H

#include "cli/options.h"

/* Adds deaths to each of options->traces, options->jobs of them at a time. A failure of
 * one is printed, and the others go on; in the end *why tells how many failed. */
enum status add_deaths_to_several(const struct options *options,
                                  struct failure *why) MUST_CHECK;

#endif
