/* SPDX-License-Identifier: MIT */
/* The commands of the program: each does one job and returns a status. */
#ifndef ETMERLIN_CLI_COMMANDS_COMMANDS_H
#define ETMERLIN_CLI_COMMANDS_COMMANDS_H

#include "cli/options/options.h"

/* Adds deaths to the trace. */
enum status add_deaths(const struct options *options, struct failure *why) MUST_CHECK;

/* Compares recorded deaths with computed ones; *differs: whether any differ. */
enum status compare_traces(const struct options *options, bool *differs,
                           struct failure *why) MUST_CHECK;

/* Checks whether the trace is well-formed; *violates: whether it is not. */
enum status validate_trace(const struct options *options, bool *violates,
                           struct failure *why) MUST_CHECK;

/* Reports the records that the tracer of the trace left out. */
enum status advise_trace(const struct options *options, struct failure *why) MUST_CHECK;

/* Checks an oracle against its trace; *faulty: whether it has faults. */
enum status check_oracle(const struct options *options, bool *faulty,
                         struct failure *why) MUST_CHECK;

/* Compares the trace with another run of its program; *differs: whether they are not the same.
 */
enum status match_traces(const struct options *options, bool *differs,
                         struct failure *why) MUST_CHECK;

#endif
