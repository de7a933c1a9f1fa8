/* SPDX-License-Identifier: MIT */
/* What several documents have: the trace, the assumptions that deaths are computed under, by
 * the words of the command line, and what is described of many numbers. */
#include "report/form/common.h"

#include "trace/reader.h"

#include <stdio.h>

struct trace_origin origin_of(const struct reader *reader,
                              const struct assumptions *assumptions)
{
    return (struct trace_origin){reader->name, reader->unfinished,
                                 reader->explicit_time ? "time" : "thread", assumptions};
}

static const struct figure trace_figures[] = {
    FIGURE("trace", "trace", "name", 0, trace_origin, trace),
    FIGURE("unfinished", "unfinished", "text", 0, trace_origin, unfinished),
    FIGURE("dialect", "dialect", "word", 0, trace_origin, dialect),
    FIGURES_END,
};

const struct section origin_sections[] = {
    {.form = SECTION_HEAD, .key = "", .width = HEAD_WIDTH, .figures = trace_figures},
    {.figures = NULL},
};

static struct value held_by_of(struct row *row)
{
    return value_text(assumptions_held_by(row->subject));
}

static struct value unallocated_of(struct row *row)
{
    return value_text(assumptions_unallocated(row->subject));
}

static struct value at_end_of(struct row *row)
{
    return value_text(assumptions_at_end(row->subject));
}

static struct value options_of(struct row *row)
{
    snprintf(row->scratch, ROW_SCRATCH, "--held-by=%s --unallocated=%s --at-end=%s",
             assumptions_held_by(row->subject), assumptions_unallocated(row->subject),
             assumptions_at_end(row->subject));
    return value_text(row->scratch);
}

static const struct figure assumptions_figures[] = {
    FIGURE_OF("held_by", NULL, "word", 0, held_by_of),
    FIGURE_OF("unallocated", NULL, "word", 0, unallocated_of),
    FIGURE_OF("at_end", NULL, "word", 0, at_end_of),
    FIGURE_OF(NULL, "computed", "text", 0, options_of),
    FIGURES_END,
};

static bool next_assumptions(struct row *row)
{
    const struct trace_origin *origin = row->document;
    row->subject = origin ? origin->assumptions : NULL;
    return row->at++ == 0;
}

static bool is_computed(const void *document)
{
    return ((const struct trace_origin *)document)->assumptions;
}

const struct section assumption_sections[] = {
    {.form = SECTION_HEAD,
     .key = "assumptions",
     .width = HEAD_WIDTH,
     .figures = assumptions_figures,
     .next = next_assumptions,
     .exists = is_computed},
    {.figures = NULL},
};

const struct figure distribution_figures[] = {
    FIGURE("count", "number", "objects", 0, distribution, count),
    FIGURE("min", "minimum", "", 0, distribution, min),
    FIGURE("median", "median", "", 0, distribution, median),
    FIGURE("p90", "90% at most", "", 0, distribution, p90),
    FIGURE("p99", "99% at most", "", 0, distribution, p99),
    FIGURE("max", "maximum", "", 0, distribution, max),
    FIGURE_SUBJECT("mean", "mean", "", 0, MEMBER_MEAN),
    FIGURES_END,
};
