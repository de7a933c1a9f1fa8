/* SPDX-License-Identifier: MIT */
/* Runs a command that may start Java programs, and finds out whether one was traced. */
#ifndef ETTRACE_WATCH_H
#define ETTRACE_WATCH_H

#include "base/status.h"

#include <stdint.h>

/* Runs the command in a child of this process, passes the signals on that this process gets,
 * and waits. Returns 0 and sets *status to what wait(2) would give, or returns the error number
 * for which the command cannot be run. */
int watch_run(char **command, int *status);

/* Ends this process by the signal that has ended the child, so that whoever waits for it sees
 * that; returns the exit status that stands for it, if it does not end. */
int watch_end_by(int signal_number);

/* A number that is another one when a file with the name of the output has been made or
 * replaced; in `path`, "%p" stands for the number of any process. */
uint64_t watch_files(const char *path);

#endif
