/* SPDX-License-Identifier: MIT */
/* The line that shows progress, fitted to a terminal. */
#ifndef ETMERLIN_CLI_PROGRESS_LINE_H
#define ETMERLIN_CLI_PROGRESS_LINE_H

#include <stddef.h>

/* Room for a line, its parts, and the terminator of each. */
enum { PROGRESS_LINE_SIZE = 512 };

/* Writes `NAME: STATE, DETAILS` to `out` (PROGRESS_LINE_SIZE bytes), in at most `width`
 * columns: `state`, which tells the phase, the percent and the time left, always, as far as it
 * goes; of the details what fits; and the name, of which the end matters most, by its end. What
 * is not to be shown of the name (text_shown_length) is escaped. */
void progress_line_fit(char *out, const char *name, const char *state, const char *details,
                       size_t width);

#endif
