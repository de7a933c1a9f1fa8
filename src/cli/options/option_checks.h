/* SPDX-License-Identifier: MIT */
/* Whether the options that were given go together. */
#ifndef ETMERLIN_CLI_OPTIONS_OPTION_CHECKS_H
#define ETMERLIN_CLI_OPTIONS_OPTION_CHECKS_H

#include "cli/options/option_set.h"

/* Checks that there is a name for each report of each trace; their forms are known. */
enum status options_check_names(const struct options *options, struct failure *why) MUST_CHECK;

/* Checks that the options which were given go together. STATUS_MEANING: they do not. */
enum status options_check(const struct options *options, const struct option_set *given,
                          struct failure *why) MUST_CHECK;

#endif
