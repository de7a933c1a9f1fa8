/* SPDX-License-Identifier: MIT */
/* Whether the options that were given go together, with the names of outputs, too. */
#ifndef ETMERLIN_CLI_OPTIONS_OPTION_CHECKS_H
#define ETMERLIN_CLI_OPTIONS_OPTION_CHECKS_H

#include "cli/options/option_table.h"

/* Checks that there is a name for each report of each trace; their forms are known. */
enum status options_check_names(const struct options *options, struct failure *why) MUST_CHECK;

/* Checks that the options which were given go together. STATUS_MEANING: they do not. */
enum status options_check(const struct options *options, const struct option_set *given,
                          struct failure *why) MUST_CHECK;

/* Lets the name of each output decide its form, unless an option that was given does.
 * STATUS_MEANING: the name promises another form than that option says, or one that the output
 * cannot have. */
enum status forms_decide(struct options *options, const struct option_set *given,
                         struct failure *why) MUST_CHECK;

#endif
