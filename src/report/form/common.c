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
    char options[ROW_SCRATCH];
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

static const struct figure trace_figures[] = {
    FIGURE("trace", "trace", "name", 0, trace_origin, trace),
    FIGURE("unfinished", "unfinished", "text", 0, trace_origin, unfinished),
    FIGURE("dialect", "dialect", "word", 0, trace_origin, dialect),
    FIGURES_END,
};

const struct section origin_sections[] = {
    HEAD(trace_figures),
    SECTIONS_END,
};

static struct value options_of(struct row *row)
{
    const struct assumptions *assumptions = row->subject;
    snprintf(row->scratch, ROW_SCRATCH, "--held-by=%s --unallocated=%s --at-end=%s",
             held_by_words[assumptions->held_by], unallocated_words[assumptions->unallocated],
             at_end_words[assumptions->at_end]);
    return value_text(row->scratch);
}

static const struct figure assumptions_figures[] = {
    FIGURE_WORD("held_by", NULL, 0, assumptions, held_by, held_by_words),
    FIGURE_WORD("unallocated", NULL, 0, assumptions, unallocated, unallocated_words),
    FIGURE_WORD("at_end", NULL, 0, assumptions, at_end, at_end_words),
    FIGURE_OF(NULL, "computed", "text", 0, options_of),
    FIGURES_END,
};

const struct section assumption_sections[] = {
    SECTION(HEAD, "assumptions", NULL, HEAD_WIDTH, 0, assumptions_figures,
            .subject = MEMBER(trace_origin, assumptions), .is_pointer = true,
            .only_if = MEMBER(trace_origin, assumptions)),
    SECTIONS_END,
};

const struct figure distribution_figures[] = {
    FIGURE("count", "number", "objects", 0, distribution, count),
    FIGURE("min", "minimum", "", 0, distribution, min),
    FIGURE("median", "median", "", 0, distribution, median),
    FIGURE("p90", "90% at most", "", 0, distribution, p90),
    FIGURE("p99", "99% at most", "", 0, distribution, p99),
    FIGURE("max", "maximum", "", 0, distribution, max),
    {FIGURE_TITLES("mean", "mean", "", 0), .kind = MEMBER_MEAN},
    FIGURES_END,
};
