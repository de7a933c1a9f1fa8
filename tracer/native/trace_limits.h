/* SPDX-License-Identifier: MIT */
/* What part of the run is traced, and which patterns and limits of the command line nothing in
 * the run has matched. */
#ifndef ETTRACE_TRACE_LIMITS_H
#define ETTRACE_TRACE_LIMITS_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Reads --start-at and --stop-at from the settings; the name lists must be open. Handles the
 * signal from now on, if one of them names it. STATUS_MEANING: a value is neither a method nor
 * the signal. */
enum status limits_open(struct failure *why) MUST_CHECK;

/* The program is about to run: from now on, tracing waits for the method that begins it,
 * unless a signal does. */
void limits_wait(void);

/* Whether a method that begins while tracing waits begins the trace: it is the one of
 * --start-at, and this call of it is, or none is named there. To be called once for a call. */
bool limits_begin_with(uint32_t method);

/* Whether calls are counted, so that limits_left is to be called. */
bool limits_count(void);

/* A call of the method has ended, whether or not it is traced. */
void limits_left(uint32_t method);

/* Whether --stop-at names a call by its number. */
bool limits_counts_last(void);

/* Whether this call of a method that begins is the one of --stop-at. To be called once for a
 * call, whether or not it is traced. */
bool limits_is_last_call(uint32_t method);

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

/* Reports on standard error the limits that have not come and the patterns that match nothing.
 */
void limits_report(void);

#endif
