/* SPDX-License-Identifier: MIT */
/* The line that shows progress, fitted to a terminal. */
#ifndef ETMERLIN_CLI_PROCESS_PROGRESS_LINE_H
#define ETMERLIN_CLI_PROCESS_PROGRESS_LINE_H

#include <stddef.h>
#include <stdint.h>

/* Room for a line, its parts, and the terminator of each. */
enum { PROGRESS_LINE_SIZE = 512 };

/* Writes `NAME: STATE, DETAILS` to `out` (PROGRESS_LINE_SIZE bytes), in at most `width`
 * columns: `state`, which shows the phase, the percent and the time left, always, as far as it
 * goes; of the details what fits; and the name, of which the end matters most, by its end. What
 * is not to be shown of the name (text_shown_length) is escaped. */
void progress_line_fit(char *out, const char *name, const char *state, const char *details,
                       size_t width);

/* How long a job takes from now on, if what is left of this phase goes on at its speed - after
 * `elapsed` seconds, `done` (not 0) of `of` are done - and what comes after it takes `percent`
 * of `reading` seconds; 0: of this phase, which is the first. */
double progress_time_left(double elapsed, uint64_t done, uint64_t of, double reading,
                          unsigned percent);

#endif
