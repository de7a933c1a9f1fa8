/* SPDX-License-Identifier: MIT */
/* What several documents share, under the same names. */
#ifndef ETMERLIN_REPORT_FORM_COMMON_H
#define ETMERLIN_REPORT_FORM_COMMON_H

#include "report/form/form.h"
#include "report/report_settings.h"
#include "trace/trace_mark.h"

/* The words of assumptions, by the values of their options. */
extern const char *const held_by_words[], *const unallocated_words[], *const at_end_words[];

/* Where the figures of a document come from. */
struct trace_origin {
    const char *trace;      /* its name */
    const char *unfinished; /* as in struct reader; NULL: the trace seems to be whole */
    const char *dialect;
    const struct assumptions *assumptions; /* NULL: no deaths are computed */
};

struct reader;

/* The origin of a document about a trace; `assumptions` (NULL: no deaths are computed) must
 * outlive it. */
struct trace_origin origin_of(const struct reader *reader,
                              const struct assumptions *assumptions);

/* Puts what a document is about, and the assumptions, or null (NULL: none) in their place. */
void origin_put(struct form *form, const struct trace_origin *origin);
void assumptions_put(struct form *form, const struct assumptions *assumptions);

/* Why objects of a trace die too early at this level of ettrace, as a sentence of at most 75
 * characters without its full stop. NULL: they do not, the level is unknown, or frames hold
 * objects, which is too long (--held-by=frame). `assumptions`: NULL: deaths are those in the
 * trace. ettrace writes none, so they were computed from its records. */
const char *early_deaths(enum trace_level level, const struct assumptions *assumptions);

/* The options that say how a trace was read. */
enum { READING_MOST = 8 };

/* An option as it was given is `name`, followed by `value` unless that is NULL. */
struct reading_option {
    const char *name;
    const char *value;
};

/* Puts the options of `reading` that differ from their defaults, --type-sizes excepted, into
 * `options` in a fixed order. Returns how many there are. Their texts live as long as those of
 * `reading`. */
size_t reading_list(struct reading_option options[READING_MOST],
                    const struct reader_options *reading);

/* These options and --type-sizes as one line, separated by blanks; empty if all have their
 * defaults. The caller owns it (free). NULL: no memory. */
char *reading_text(const struct reader_options *reading);

/* Puts the figures of a distribution, in `unit`, into a row. */
void distribution_put(struct form *form, const struct distribution *distribution,
                      const char *unit);

#endif
