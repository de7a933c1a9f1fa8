/* SPDX-License-Identifier: MIT */
/* What part of the run is traced, and which patterns and limits of the command line nothing in
 * the run has matched. */
#ifndef ETTRACE_TRACE_LIMITS_H
#define ETTRACE_TRACE_LIMITS_H

#include "base/status.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Reads --start-at and --stop-at from the settings; the name lists must be open. Handles the
 * signal from now on, if one of them names it. STATUS_MEANING: a value is neither a method nor
 * the signal. */
enum status limits_open(struct failure *why) MUST_CHECK;

/* Whether the trace has a use of each object when a variable of the program loses it: all
 * frames begin within the trace, and when it ends, what they hold is recorded. It may not begin
 * at a limit, nor end by a signal. */
bool limits_show_losses(void);

/* The program is about to run: from now on, calls are counted, and unless a signal begins the
 * trace, tracing waits for the method that does. */
void limits_wait(void);

/* Whether calls are counted: the program runs, and one that an option names by its number may
 * still come. */
extern _Atomic bool limits_are_counted;

/* What the call of a method is by its number: the one of --start-at, or of --stop-at. */
enum { CALL_BEGINS_TRACE = 1, CALL_ENDS_TRACE = 2 };

/* Counts a call of the method, which begins in the calling thread, and returns what the call
 * is: a sum of these values. To be called once for each call while calls are counted, whether
 * or not it is traced. */
unsigned limits_entered(uint32_t method);

/* The latest call of the method that is open in the calling thread has ended. */
void limits_left(uint32_t method);

/* Whether the call of a method, which limits_entered says this of, begins the trace. 0: calls
 * are not counted. */
bool limits_begin_with(uint32_t method, unsigned roles);

/* Whether --stop-at names a call by its number. */
bool limits_counts_last(void);

/* Whether the trace ends when that method ends. */
bool limits_end_with(uint32_t method);

/* Records are written from now on, unless the trace has ended already. */
void limits_begin(void);

/* Ends the trace: nothing more is recorded. A signal handler may call it. */
void limits_end(void);

/* Whether a method may end the trace. */
bool limits_has_last(void);

/* Adds a pattern of classes, which is reported at the end unless a class matches it, and
 * returns its number; UINT32_MAX: no memory, and it is not reported. The text is copied. */
uint32_t limits_expect(const char *pattern);

/* A class matches the pattern of that number. */
void limits_meet(uint32_t pattern);

/* Prints messages about the limits that have not come and the patterns that match nothing. */
void limits_report(void);

#endif
