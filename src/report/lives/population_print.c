/* SPDX-License-Identifier: MIT */
/* Figures are named as the authors of the DaCapo benchmarks name theirs, where they publish the
 * same one. */
#include "report/lives/population_print.h"

enum { TEN_THOUSAND = 10000, LABELS = 26, CELLS = 15 };

static const struct population *population_of(const struct row *row)
{
    return row->document;
}

static struct value average_size_of(struct row *row)
{
    return value_distribution_mean(&population_of(row)->sizes);
}

/* A quantile of sizes: of nothing there is none. */
static struct value quantile_of(const struct row *row, uint64_t size)
{
    return value_number_if(population_of(row)->sizes.count > 0, size);
}

static struct value small_size_of(struct row *row)
{
    return quantile_of(row, population_of(row)->sizes.p10);
}

static struct value median_size_of(struct row *row)
{
    return quantile_of(row, population_of(row)->sizes.median);
}

static struct value large_size_of(struct row *row)
{
    return quantile_of(row, population_of(row)->sizes.p90);
}

/* Whole bytes: hundredths of a product of two large numbers would not fit. */
static struct value mean_live_of(struct row *row)
{
    const struct population *population = population_of(row);
    if (population->bytes_in_all == 0)
        return NO_VALUE;
    return value_number(figures_whole_mean(population->space_time, population->bytes_in_all));
}

static struct value smallest_heap_of(struct row *row)
{
    return value_number(population_of(row)->smallest_heap);
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
    FIGURE_OF("AOA", "AOA, average size", "bytes", 0, average_size_of),
    FIGURE_OF("AOS", "AOS, 10% at most", "bytes", 0, small_size_of),
    FIGURE_OF("AOM", "AOM, median size", "bytes", 0, median_size_of),
    FIGURE_OF("AOL", "AOL, 90% at most", "bytes", 0, large_size_of),
    FIGURE_OF("mean_live_bytes", "live bytes, on average", "bytes", 0, mean_live_of),
    FIGURE_OF("smallest_heap_bytes", "smallest heap, bytes", "bytes", 0, smallest_heap_of),
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
    struct row row = {.document = population};
    char digits[VALUE_SIZE];
    for (const struct figure *figure = population_figures; figure->key; figure++) {
        const struct value value = figure->of(&row);
        if (value.kind == VALUE_NOTHING)
            table_empty(table);
        else
            table_text(table, value_digits(digits, &value));
    }
}
