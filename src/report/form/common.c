/* SPDX-License-Identifier: MIT */
/* What several documents share: the trace, the assumptions that deaths are computed under, in
 * the words of the command line, and the figures of a distribution. */
#include "report/form/common.h"

#include "trace/reader.h"

#include <stdio.h>

struct trace_origin origin_of(const struct reader *reader,
                              const struct assumptions *assumptions)
{
    return (struct trace_origin){reader->name, reader->unfinished,
                                 reader->explicit_time ? "time" : "thread", assumptions};
}

void origin_put(struct form *form, const struct trace_origin *origin)
{
    form_head(form, "");
    form_line(form, "trace", "trace", "name", value_text(origin->trace));
    form_line(form, "unfinished", "unfinished", "text", value_text(origin->unfinished));
    form_line(form, "dialect", "dialect", "word", value_text(origin->dialect));
}

void assumptions_put(struct form *form, const struct assumptions *assumptions)
{
    static const struct assumptions none;
    const struct assumptions *made = assumptions ? assumptions : &none;
    const char *held_by = held_by_words[made->held_by];
    const char *unallocated = unallocated_words[made->unallocated];
    const char *at_end = at_end_words[made->at_end];
    char options[COMPOSED_SIZE];
    snprintf(options, sizeof options, "--held-by=%s --unallocated=%s --at-end=%s", held_by,
             unallocated, at_end);
    form_head(form, "assumptions");
    form_only_if(form, assumptions != NULL);
    form_put(form, "held_by", "word", value_text(held_by));
    form_put(form, "unallocated", "word", value_text(unallocated));
    form_put(form, "at_end", "word", value_text(at_end));
    form_line(form, NULL, "computed", "text", value_text(options));
}

void distribution_put(struct form *form, const struct distribution *distribution,
                      const char *unit)
{
    form_line(form, "count", "number", "objects", value_number(distribution->count));
    form_line(form, "min", "minimum", unit, value_number(distribution->min));
    form_line(form, "median", "median", unit, value_number(distribution->median));
    form_line(form, "p90", "90% at most", unit, value_number(distribution->p90));
    form_line(form, "p99", "99% at most", unit, value_number(distribution->p99));
    form_line(form, "max", "maximum", unit, value_number(distribution->max));
    form_line(form, "mean", "mean", unit, value_distribution_mean(distribution));
}
