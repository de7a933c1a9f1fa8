/* SPDX-License-Identifier: MIT */
/* The forms of outputs, which follow from the suffixes of their names. */
#ifndef ETMERLIN_CLI_OPTIONS_FORMS_H
#define ETMERLIN_CLI_OPTIONS_FORMS_H

#include "cli/options/option_set.h"

/* Lets the name of each output decide its form, unless an option that was given does.
 * STATUS_MEANING: the name promises another form than that option says, or one that the output
 * cannot have. */
enum status forms_decide(struct options *options, const struct option_set *given,
                         struct failure *why) MUST_CHECK;

#endif
