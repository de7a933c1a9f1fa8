/* SPDX-License-Identifier: MIT */
/* A curve is exact at its points, which are those where another hundredth of the bytes is
 * passed. It grows as the sums by site hand out lifetimes in ascending order, so no lifetimes
 * are kept. Rows are made as they are printed. */
#include "report/page/page_curves.h"

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

struct curve_row {
    const struct tally *type; /* NULL: the curve of all objects */
    uint64_t bytes;
    struct gini gini;
};

/* A point of a curve. */
struct point_row {
    uint64_t curve; /* its row, from 0 on */
    uint64_t bytes_share, lifetime_share;
};

struct shown_curves {
    const struct names *names;
    struct shown_name *name; /* a buffer */
    struct print *print;
    const struct page_curves *curves;
    struct curve_row *curve;
    struct point_row *point;
};

static const struct page_curve *curve_at(const struct page_curves *curves, size_t number)
{
    return number == 0 ? &curves->all : &curves->of_types[number - 1];
}

static bool next_curve(struct row *row)
{
    const struct shown_curves *shown = row->document;
    const struct page_curves *curves = shown->curves;
    const struct site_sums *sums = curves->sums;
    size_t number = (size_t)row->at++;
    if (number > curves->type_count)
        return false;
    const struct tally *type = number == 0 ? NULL : curves->types[number - 1];
    *shown->curve = (struct curve_row){
        .type = type,
        .bytes = curve_at(curves, number)->whole,
        .gini = type ? sums->by_type.dispersions[type - sums->by_type.tallies.items].by_bytes
                     : sums->all.by_bytes,
    };
    row->subject = shown->curve;
    return true;
}

static struct value curve_name_of(struct row *row)
{
    const struct shown_curves *shown = row->document;
    const struct tally *type = ((const struct curve_row *)row->subject)->type;
    if (!type)
        return NO_VALUE;
    return shown_name_value(shown->print,
                            shown_name_of_type(shown->name, type->id, shown->names));
}

/* A share of the whole, in millionths. */
static unsigned page_curve_share(wide_sum part, wide_sum whole)
{
    return figures_wide_share(part, whole, 1000000);
}

/* Goes to the next point. Each curve begins at 0, which is not among its points. */
static bool next_point(struct row *row)
{
    enum { MOST = PAGE_CURVE_POINTS + 2 };
    const struct shown_curves *shown = row->document;
    size_t number = (size_t)(row->at / MOST), at = (size_t)(row->at % MOST);
    if (number <= shown->curves->type_count && at > curve_at(shown->curves, number)->count) {
        number++;
        at = 0;
    }
    if (number > shown->curves->type_count)
        return false;
    const struct page_curve *curve = curve_at(shown->curves, number);
    const struct page_curve_point zero = {.weight = 0},
                                  *point = at == 0 ? &zero : &curve->points[at - 1];
    *shown->point =
        (struct point_row){number, page_curve_share(point->weight, curve->now.weight),
                           page_curve_share(point->sum, curve->now.sum)};
    row->subject = shown->point;
    row->at = (uint64_t)number * MOST + at + 1;
    return true;
}

static const struct figure curve_figures[] = {
    FIGURE_OF("name", NULL, "name", 0, curve_name_of),
    FIGURE("bytes", NULL, "bytes", 0, curve_row, bytes),
    FIGURE("gini_bytes", NULL, "fraction", 0, curve_row, gini),
    FIGURES_END,
};

static const struct figure point_figures[] = {
    FIGURE("curve", NULL, "count", 0, point_row, curve),
    FIGURE("bytes_millionths", NULL, "millionths", 0, point_row, bytes_share),
    FIGURE("lifetime_millionths", NULL, "millionths", 0, point_row, lifetime_share),
    FIGURES_END,
};

static const struct section curve_sections[] = {
    SECTION(LIST, "curves", NULL, 0, 0, curve_figures, .next = next_curve),
    SECTION(LIST, "curve_points", NULL, 0, 0, point_figures, .next = next_point),
    SECTIONS_END,
};

void page_curves_print(struct document *document, const struct page_curves *curves,
                       const struct names *names)
{
    struct shown_name buffer = {.text = NULL};
    struct curve_row curve;
    struct point_row point;
    const struct shown_curves shown = {
        .names = names,
        .name = &buffer,
        .print = document->print,
        .curves = curves,
        .curve = &curve,
        .point = &point,
    };
    document_print(document, curve_sections, &shown);
    free(buffer.text);
}
