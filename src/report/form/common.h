/* SPDX-License-Identifier: MIT */
/* What several documents share, under the same names. */
#ifndef ETMERLIN_REPORT_FORM_COMMON_H
#define ETMERLIN_REPORT_FORM_COMMON_H

#include "report/form/form.h"
#include "report/report_settings.h"

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

/* Puts the figures of a distribution, in `unit`, into a row. */
void distribution_put(struct form *form, const struct distribution *distribution,
                      const char *unit);

#endif
