/* SPDX-License-Identifier: MIT */
/* Runs a command in a child of this process. */
#ifndef ETTRACE_WATCH_H
#define ETTRACE_WATCH_H

/* Runs the command, found as execvp(3) does, passes the signals on that other processes send to
 * this one, and waits. Returns 0 and sets *status to what wait(2) would give, or returns the
 * error number for which the command cannot be run. */
int watch_run(char **command, int *status);

/* Ends this process by the signal that has ended the child, so that whoever waits for it sees
 * that; returns the exit status that stands for it, if it does not end. */
int watch_end_by(int signal_number);

#endif
