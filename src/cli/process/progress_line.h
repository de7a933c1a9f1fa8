/* SPDX-License-Identifier: MIT */
/* The line that shows progress, fitted to a terminal. */
#ifndef ETMERLIN_CLI_PROCESS_PROGRESS_LINE_H
#define ETMERLIN_CLI_PROCESS_PROGRESS_LINE_H

#include <stddef.h>
#include <stdint.h>

/* Room for a line, its parts, and the terminator of each. */
enum { PROGRESS_LINE_SIZE = 512 };

/* Writes `NAME: STATE, DETAILS` to `out` (PROGRESS_LINE_SIZE bytes), in at most `width`
 * columns. `state`, the phase, the percentage and the time left, comes first: it is only cut if
 * it is too long alone. Then come the details that fit. Of the name, the end is kept, which
 * matters most; what is not to be shown in it (text_shown_length) is escaped. */
void progress_line_fit(char *out, const char *name, const char *state, const char *details,
                       size_t width);

/* The seconds that a job still takes. This phase goes on at its speed: after `elapsed` seconds,
 * `done` (not 0) of `of` are done. The phases after it take `percent` percent of `reading`
 * seconds, or, if that is 0, of the time of this phase, the first one. */
double progress_time_left(double elapsed, uint64_t done, uint64_t of, double reading,
                          unsigned percent);

#endif
