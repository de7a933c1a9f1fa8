/* SPDX-License-Identifier: MIT */
/* Figures are named as the authors of the DaCapo benchmarks name theirs, where they publish the
 * same one. */
#include "report/stats/population_print.h"

#include "report/form/forms.h"

enum { TEN_THOUSAND = 10000, LABELS = 26, CELLS = 15 };

static const struct population *population_of(const struct row *row)
{
    return row->document;
}

/* Whole bytes: hundredths of a product of two large numbers would not fit. */
static struct value mean_live_of(struct row *row)
{
    const struct population *population = population_of(row);
    if (population->bytes_in_all == 0)
        return NO_VALUE;
    return value_number(figures_whole_mean(population->space_time, population->bytes_in_all));
}

static struct value turnover_of(struct row *row)
{
    const struct population *population = population_of(row);
    return value_mean(population->asked, population->smallest_heap);
}

static struct value mark_cons_of(struct row *row)
{
    const struct population *population = population_of(row);
    if (population->asked == 0)
        return NO_VALUE;
    return (struct value){
        .kind = VALUE_TEN_THOUSANDTHS,
        .number = figures_whole_mean(population->marked * TEN_THOUSAND, population->asked)};
}

static const struct figure population_figures[] = {
    FIGURE("AOA", "AOA, average size", "bytes", 0, population, sizes),
    FIGURE_IF("AOS", "AOS, 10% at most", "bytes", 0, population, sizes.p10, sizes.count),
    FIGURE_IF("AOM", "AOM, median size", "bytes", 0, population, sizes.median, sizes.count),
    FIGURE_IF("AOL", "AOL, 90% at most", "bytes", 0, population, sizes.p90, sizes.count),
    FIGURE_OF("mean_live_bytes", "live bytes, on average", "bytes", 0, mean_live_of),
    FIGURE("smallest_heap_bytes", "smallest heap, bytes", "bytes", 0, population,
           smallest_heap),
    FIGURE_OF("GTO", "GTO, memory turnover", "ratio", 0, turnover_of),
    FIGURE_OF("mark_cons_2x", "mark/cons, heap twice that", "ratio", 0, mark_cons_of),
    FIGURES_END,
};

const struct section population_sections[] = {
    {.form = SECTION_LINES,
     .key = "population",
     .title = "population",
     .width = LABELS,
     .cell = CELLS,
     .figures = population_figures},
    {.figures = NULL},
};

void population_put_columns(struct table *table, const struct population *population)
{
    struct row row = {.document = population, .subject = population};
    for (const struct figure *figure = population_figures; figure->key; figure++)
        value_put(table, figure_value(figure, &row));
}
