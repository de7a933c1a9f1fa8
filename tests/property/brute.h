/* SPDX-License-Identifier: MIT */
/*
 * Death times by brute force: what every other way to compute them must agree with.
 *
 * At every method boundary the heap's reachability is computed from scratch, from static
 * fields, open frames and the objects that later records still use. It is quadratic, and meant
 * to be checked by reading it next to the definition of a death time.
 */
#ifndef PROPERTY_BRUTE_H
#define PROPERTY_BRUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text.h"

/* What the last field of a record is: a thread id, or the logical clock. */
enum brute_dialect { BRUTE_THREAD, BRUTE_TIME };

/* What an open frame keeps alive. */
enum brute_held_by { BRUTE_HELD_BY_RECEIVER, BRUTE_HELD_BY_NONE, BRUTE_HELD_BY_FRAME };

/* What becomes of objects that are named and never allocated: used as others are, or roots. */
enum brute_unallocated { BRUTE_LAST_USE, BRUTE_IMMORTAL };

/* What becomes of objects alive at the end: nothing, or a D after the last line. */
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
 * Appends to output the trace with its D lines. A D line ends as the line before it. After a
 * last line without a newline, the newline stands before each D in place of after it.
 *
 * The trace must be well-formed; when a record is not (number of fields, a field that is no
 * 64-bit decimal number), the result is false, *bad_line its line (from 1) and nothing is
 * appended. That the clock of the time dialect never goes backwards is not checked.
 */
bool brute_trace(const char *trace, size_t size, const struct brute_options *options,
                 struct text *output, size_t *bad_line);

/* As brute_trace(), but appends the D lines only, each ended by LF. */
bool brute_deaths(const char *trace, size_t size, const struct brute_options *options,
                  struct text *output, size_t *bad_line);

/*
 * The dialect that --dialect=auto finds: among the first 1000 boundaries, time when there are
 * two at least and each one's last field is its predecessor's plus 1. Bad records as
 * brute_trace().
 */
bool brute_auto_dialect(const char *trace, size_t size, enum brute_dialect *dialect,
                        size_t *bad_line);

#endif
