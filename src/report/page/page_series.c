/* SPDX-License-Identifier: MIT */
/* Tables with a row for each moment, limit or size. Bands of ages are columns, named by the
 * least age of objects in them. Their number depends on the trace, so their figures are made
 * when they are printed. */
#include "report/page/page_series.h"

#include <inttypes.h>
#include <stdio.h>

static struct value moment_of(struct row *row)
{
    const struct page_grid *grid = &((const struct page_heap *)row->document)->grid;
    return value_number(row->at < grid->count ? (row->at - 1) * grid->step : grid->end);
}

#define LIVE(key, unit, member) FIGURE(key, NULL, unit, 0, page_live, member)

const struct figure page_live_figures[] = {
    FIGURE_OF("bytes_allocated", NULL, "bytes", 0, moment_of),
    LIVE("most_live_bytes", "bytes", most_bytes),
    LIVE("least_live_bytes", "bytes", least_bytes),
    LIVE("most_live_objects", "objects", most_objects),
    FIGURES_END,
};

static const struct section live = PAGE_LIVE("live");

/* The number at the row's moment in series number `series` of a two-dimensional array. */
#define SERIES(key_, layers, series)                                                           \
    {                                                                                          \
        .key = key_, .unit = "bytes", .value = {                                               \
            .offset = (series) * MEMBER_SIZE(page_plots, layers[0]),                           \
            .size = MEMBER_SIZE(page_plots, layers[0][0])                                      \
        }                                                                                      \
    }
/* A table of such an array, with a row a moment. */
#define MOMENTS(key_, layers, figures)                                                         \
    SECTION(LIST, key_, NULL, 0, 0, figures,                                                   \
            .array = ARRAY_PART(page_plots, layers[0], heap.grid.count))

static const struct figure phase_figures[] = {
    SERIES("in_use", phases, PAGE_IN_USE),
    SERIES("dragged", phases, PAGE_DRAGGED),
    SERIES("never_used", phases, PAGE_VOID),
    FIGURES_END,
};

static const struct section phases = MOMENTS("phases", phases, phase_figures);

static void print_ages(struct document *document, const struct page_plots *plots)
{
    enum { KEY = sizeof "from_18446744073709551615" };
    char keys[PAGE_BANDS][KEY];
    struct figure bands[PAGE_BANDS + 1] = {FIGURES_END};
    size_t count = page_band_count(plots);
    for (size_t band = 0; band < count; band++) {
        snprintf(keys[band], KEY, "from_%" PRIu64, page_band_from(band));
        bands[band] = (struct figure)SERIES(keys[band], ages, band);
    }
    const struct section ages = MOMENTS("ages", ages, bands);
    document_put(document, &ages, plots);
}

static struct value survival_limit_of(struct row *row)
{
    const struct page_plots *plots = row->document;
    return value_number(plots->survival_limits[row->at - 1]);
}

static struct value nursery_size_of(struct row *row)
{
    return value_number(UINT64_C(1) << (PAGE_NURSERY_FIRST + row->at - 1));
}

static bool next_nursery(struct row *row)
{
    const struct page_plots *plots = row->document;
    size_t nursery = PAGE_NURSERY_FIRST + (size_t)row->at++;
    row->subject = &plots->nurseries[nursery];
    return nursery < page_nursery_end(plots);
}

#define SURVIVAL                                                                               \
    FIGURE("eligible_bytes", NULL, "bytes", 0, page_survival, eligible_bytes),                 \
        FIGURE("survived_bytes", NULL, "bytes", 0, page_survival, survived_bytes),             \
        FIGURE("eligible_objects", NULL, "objects", 0, page_survival, eligible_objects),       \
        FIGURE("survived_objects", NULL, "objects", 0, page_survival, survived_objects),       \
        FIGURES_END

static const struct figure survival_figures[] = {
    FIGURE_OF("bytes_allocated", NULL, "bytes", 0, survival_limit_of),
    SURVIVAL,
};

static const struct figure nursery_figures[] = {
    FIGURE_OF("nursery_bytes", NULL, "bytes", 0, nursery_size_of),
    SURVIVAL,
};

static const struct section survival_sections[] = {
    SECTION(LIST, "survival", NULL, 0, 0, survival_figures,
            .array = ARRAY_PART(page_plots, survivals, survival_count)),
    SECTION(LIST, "nurseries", NULL, 0, 0, nursery_figures, .next = next_nursery),
    SECTIONS_END,
};

void page_plots_print(struct document *document, const struct page_plots *plots, bool has_uses)
{
    document_put(document, &live, &plots->heap);
    print_ages(document, plots);
    if (has_uses)
        document_put(document, &phases, plots);
    document_print(document, survival_sections, plots);
}
