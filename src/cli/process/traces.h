/* SPDX-License-Identifier: MIT */
/* Carries out the command for each trace of a call, in a process of its own if there are
 * several. */
#ifndef ETMERLIN_CLI_PROCESS_TRACES_H
#define ETMERLIN_CLI_PROCESS_TRACES_H

#include "cli/options/options.h"

/* Carries out the command on options->trace; *differs is as for main. */
typedef enum status command_function(const struct options *options, bool *differs,
                                     struct failure *why);

/* Calls `run` for options->trace or, where there are several, for each of options->traces,
 * options->jobs of them at a time; *differs: whether any of them differs. With --skip-existing,
 * traces whose outputs exist are left out. With several traces, their standard outputs come in
 * the order of the traces. A failure of one is printed, and the others go on; in the end *why
 * has the number of failures. */
enum status traces_run(const struct options *options, command_function *run, bool *differs,
                       struct failure *why) MUST_CHECK;

#endif
