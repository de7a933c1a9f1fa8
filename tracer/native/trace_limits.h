/* SPDX-License-Identifier: MIT */
/* What part of the run is traced, and what of the command line has met nothing in it. */
#ifndef ETTRACE_TRACE_LIMITS_H
#define ETTRACE_TRACE_LIMITS_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Takes over --start-at and --stop-at from the settings; the name lists are open. The signal,
 * if one is wanted, is answered from now on. STATUS_MEANING: a value is none. */
enum status limits_open(struct failure *why) MUST_CHECK;

/* The program is about to run: its first method begins the trace, if nothing else does. */
void limits_wait(void);

/* Whether the method that begins now, or a signal that has come, begins the trace. */
bool limits_begin_with(uint32_t method);

/* Whether the trace ends with that method. */
bool limits_end_with(uint32_t method);

/* The trace ends: nothing more is recorded. */
void limits_end(void);

/* Whether there is a method that may end it. */
bool limits_has_last(void);

/* A pattern of classes, to be reported at the end unless a class matches it; its number. The
 * text is copied. */
uint32_t limits_expect(const char *pattern);

/* A class matches the pattern of that number. */
void limits_meet(uint32_t pattern);

/* Reports on standard error the methods and signals that have not come. */
void limits_report(void);

#endif
