/* SPDX-License-Identifier: MIT */
/* Several traces in one call, each in a process of its own. */
#ifndef ETMERLIN_CLI_PROCESS_SEVERAL_H
#define ETMERLIN_CLI_PROCESS_SEVERAL_H

#include "cli/options/options.h"

/* Carries out the command on options->trace; *differs is as for main. */
typedef enum status command_function(const struct options *options, bool *differs,
                                     struct failure *why);

/* Calls `run` for each of options->traces, options->jobs of them at a time; *differs: whether
 * that of any differs. What they write to standard output comes in the order of the traces. A
 * failure of one is printed, and the others go on; in the end *why has the number of failures.
 */
enum status several_run(const struct options *options, command_function *run, bool *differs,
                        struct failure *why) MUST_CHECK;

#endif
