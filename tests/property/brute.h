/* SPDX-License-Identifier: MIT */
/*
 * Death times by brute force, with which every other computation of them must agree.
 *
 * At every method boundary, reachability is computed from scratch: from static fields, open
 * frames, and the objects that later records still use. This takes quadratic time. The code is
 * meant to be compared with the definition of a death time by reading both.
 */
#ifndef PROPERTY_BRUTE_H
#define PROPERTY_BRUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text.h"

/* The meaning of the last field of a record: a thread id, or the logical clock. */
enum brute_dialect { BRUTE_THREAD, BRUTE_TIME };

/* What an open frame keeps alive. */
enum brute_held_by { BRUTE_HELD_BY_RECEIVER, BRUTE_HELD_BY_NONE, BRUTE_HELD_BY_FRAME };

/* Objects that are named and never allocated are used like others, or are roots. */
enum brute_unallocated { BRUTE_LAST_USE, BRUTE_IMMORTAL };

/* Objects that are alive at the end get no D, or one after the last line. */
enum brute_at_end { BRUTE_NONE, BRUTE_DIE };

struct brute_options {
    enum brute_dialect dialect;
    enum brute_held_by held_by;
    enum brute_unallocated unallocated;
    enum brute_at_end at_end;
    bool has_death_thread;
    uint64_t death_thread; /* the thread of every D, if has_death_thread */
    bool replace_deaths;   /* D lines of the input are dropped */
};

/*
 * Appends the trace with its D lines to output. A D line ends like the line before it. After a
 * last line without a newline, each D line has the newline before it instead of after it.
 *
 * If a record is not well-formed (number of fields, a field that is no 64-bit decimal number),
 * returns false, sets *bad_line to its line (from 1) and appends nothing. A clock of the time
 * dialect that goes backwards is not noticed.
 */
bool brute_trace(const char *trace, size_t size, const struct brute_options *options,
                 struct text *output, size_t *bad_line);

/* The same as brute_trace(), but appends only the D lines, each with LF at its end. */
bool brute_deaths(const char *trace, size_t size, const struct brute_options *options,
                  struct text *output, size_t *bad_line);

/*
 * Finds the dialect that --dialect=auto must find. It is time if, of the first 1000 boundaries,
 * there are at least two, and each has the last field of the one before plus 1. At a bad
 * record, returns false and sets *bad_line, as brute_trace() does.
 */
bool brute_auto_dialect(const char *trace, size_t size, enum brute_dialect *dialect,
                        size_t *bad_line);

#endif
