/* SPDX-License-Identifier: MIT */
/* The command, for each trace of a call: each of several in a process of its own. */
#ifndef ETMERLIN_CLI_PROCESS_TRACES_H
#define ETMERLIN_CLI_PROCESS_TRACES_H

#include "cli/options/options.h"

/* Carries out the command on options->trace; *differs is as for main. */
typedef enum status command_function(const struct options *options, bool *differs,
                                     struct failure *why);

/* Calls `run` for options->trace or, where there are several, for each of options->traces,
 * options->jobs of them at a time; *differs: whether that of any differs. A trace whose outputs
 * are there already is left out, if the options say so. Of several, what they write to standard
 * output comes in the order of the traces; a failure of one is printed, and the others go on:
 * in the end *why has the number of failures. */
enum status traces_run(const struct options *options, command_function *run, bool *differs,
                       struct failure *why) MUST_CHECK;

#endif
