/* SPDX-License-Identifier: MIT */
/* Checks whether options go together, and whether the names of outputs fit them. */
#ifndef ETMERLIN_CLI_OPTIONS_OPTION_CHECKS_H
#define ETMERLIN_CLI_OPTIONS_OPTION_CHECKS_H

#include "cli/options/option_table.h"

/* After forms_decide: checks that each report on each trace has a name. */
enum status options_check_names(const struct options *options, struct failure *why) MUST_CHECK;

/* Checks that the options which were given go together. STATUS_MEANING: they do not. */
enum status options_check(const struct options *options, const struct option_set *given,
                          struct failure *why) MUST_CHECK;

/* Has the name of each output decide its form, unless an option does. STATUS_MEANING: the name
 * promises another form than the option, or one that the output cannot have. */
enum status forms_decide(struct options *options, const struct option_set *given,
                         struct failure *why) MUST_CHECK;

#endif
