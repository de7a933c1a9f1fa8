/* SPDX-License-Identifier: MIT */
/* A curve is exact at its points, which are those where another hundredth of the bytes is
 * passed. */
#include "report/page/page_curves.h"

#include "base/memory.h"
#include "report/figures.h"

#include <stdlib.h>

static void page_curve_add(struct page_curve *curve, uint64_t lifetime, uint64_t size)
{
    uint64_t part = curve->whole / PAGE_CURVE_POINTS;
    curve->now.weight += size;
    curve->now.sum += (wide_sum)lifetime * size;
    bool is_last = curve->now.weight == curve->whole;
    if (!is_last && (curve->count >= PAGE_CURVE_POINTS ||
                     curve->now.weight / (part + 1) < curve->count + 1))
        return;
    /* Objects without a size may come after the last byte. */
    if (curve->count > 0 && curve->points[curve->count - 1].weight == curve->now.weight)
        curve->count--;
    curve->points[curve->count++] = curve->now;
}

static void visit_lifetime(void *context, uint32_t row, uint64_t lifetime, uint64_t size)
{
    struct page_curves *curves = context;
    const struct site_sums *sums = curves->sums;
    size_t type = sums->by_context.tallies.items[row].type_index;
    page_curve_add(&curves->all, lifetime, size);
    if (curves->numbers[type] > 0)
        page_curve_add(&curves->of_types[curves->numbers[type] - 1], lifetime, size);
}

static enum status choose_types(struct page_curves *curves, struct failure *why)
{
    const struct tallies *types = &curves->sums->by_type.tallies;
    const struct ranking_choice choice = {.min_count = 1, .top = PAGE_CURVE_TYPES};
    const struct tally **ranked;
    enum status status =
        tallies_rank(types, RANK_BYTES, &choice, &ranked, &curves->type_count, why);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < curves->type_count; i++) {
        curves->types[i] = ranked[i];
        curves->of_types[i].whole = ranked[i]->bytes;
        curves->numbers[ranked[i] - types->items] = (uint8_t)(i + 1);
    }
    free(ranked);
    return STATUS_OK;
}

static enum status start_curves(void *context, struct failure *why)
{
    struct page_curves *curves = context;
    curves->numbers = array_new(curves->sums->by_type.tallies.count, 1);
    return curves->numbers ? choose_types(curves, why) : fail_memory(why);
}

void page_curves_watch(struct page_curves *curves, struct site_sums *sums)
{
    curves->sums = sums;
    curves->all.whole = sums->all_bytes;
    sums->visitor = (struct lifetime_visitor){start_curves, visit_lifetime, curves};
}

unsigned page_curve_share(wide_sum part, wide_sum whole)
{
    return figures_wide_share(part, whole, 1000000);
}

void page_curves_free(struct page_curves *curves)
{
    free(curves->numbers);
}
