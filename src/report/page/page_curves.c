/* SPDX-License-Identifier: MIT */
/* A curve is exact at its points, which are those where another hundredth of the bytes is
 * passed. It grows as the sums by site hand out lifetimes in ascending order, so no lifetimes
 * are kept. */
#include "report/page/page.h"

#include "base/memory.h"
#include "report/lives/shown_name.h"

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
    TRY(tallies_rank(types, RANK_BYTES, &choice, &ranked, &curves->type_count, why));
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

void page_curves_start(struct page_curves *curves, struct site_sums *sums)
{
    curves->sums = sums;
    curves->all.whole = sums->all_bytes;
    sums->visitor = (struct lifetime_visitor){start_curves, visit_lifetime, curves};
}

void page_curves_free(struct page_curves *curves)
{
    free(curves->numbers);
}

static const struct page_curve *curve_at(const struct page_curves *curves, size_t number)
{
    return number == 0 ? &curves->all : &curves->of_types[number - 1];
}

/* A share of the whole, in millionths. */
static unsigned page_curve_share(wide_sum part, wide_sum whole)
{
    return figures_wide_share(part, whole, 1000000);
}

/* The curve of all objects comes first. */
static void put_curves(struct form *form, const struct page_curves *curves,
                       const struct names *names)
{
    const struct site_sums *sums = curves->sums;
    struct shown_name buffer = {.text = NULL};
    form_list(form, "curves", NULL, 0);
    for (size_t i = 0; form_next(form, i, curves->type_count + 1); i++) {
        const struct tally *type = i == 0 ? NULL : curves->types[i - 1];
        const struct dispersion *dispersion =
            type ? &sums->by_type.dispersions[type - sums->by_type.tallies.items] : &sums->all;
        form_item(form);
        form_put(form, "name", "name",
                 type ? form_name(form, shown_name_of_id(&buffer, NAMES_TYPE, type->id, names))
                      : NO_VALUE);
        form_put(form, "bytes", "bytes", value_number(curve_at(curves, i)->whole));
        form_put(form, "gini_bytes", "fraction", value_gini(&dispersion->by_bytes));
    }
    free(buffer.text);
}

static void put_point(struct form *form, size_t number, const struct page_curve *curve,
                      const struct page_curve_point *point)
{
    form_item(form);
    form_put(form, "curve", "count", value_number(number));
    form_put(form, "bytes_millionths", "millionths",
             value_number(page_curve_share(point->weight, curve->now.weight)));
    form_put(form, "lifetime_millionths", "millionths",
             value_number(page_curve_share(point->sum, curve->now.sum)));
}

/* Each curve begins at 0, which is not among its points. */
static void put_points(struct form *form, const struct page_curves *curves)
{
    const struct page_curve_point zero = {.weight = 0};
    form_list(form, "curve_points", NULL, 0);
    for (size_t i = 0; i <= curves->type_count; i++) {
        const struct page_curve *curve = curve_at(curves, i);
        put_point(form, i, curve, &zero);
        for (size_t at = 0; at < curve->count; at++)
            put_point(form, i, curve, &curve->points[at]);
    }
}

void page_curves_put(struct form *form, const struct page_curves *curves,
                     const struct names *names)
{
    put_curves(form, curves, names);
    put_points(form, curves);
}
