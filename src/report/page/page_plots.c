/* SPDX-License-Identifier: MIT */
/* Series over the clock of bytes are kept as differences from instant to instant. So a life
 * costs two additions, not one for each instant at which it is live; most lives fall between
 * two instants and cost none. An object is live from its own last byte on, until its death.
 *
 * They are tables with a row for each instant, limit or size. Bands of ages are columns, named
 * by the least age of objects in them; their number depends on the trace. */
#include "report/page/page.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define FIRST_BAND YOUNG_BYTES

/* Survival curves begin at 16 bytes. */
enum { SURVIVAL_FIRST_EXPONENT = 4, SURVIVALS_A_DOUBLING = 4 };

/* The exponent of the size of the smallest nursery. */
enum { PAGE_NURSERY_FIRST = 12 };

/* The first instant at which `bytes` or more are allocated; they are not more than the end. */
static size_t instant_from(const struct page_grid *grid, uint64_t bytes)
{
    return (size_t)(bytes / grid->step + (bytes % grid->step != 0));
}

static struct page_grid grid_of(uint64_t end)
{
    struct page_grid grid = {.end = end, .step = end / PAGE_STEPS + (end % PAGE_STEPS != 0)};
    if (grid.step == 0)
        grid.step = 1;
    grid.count = instant_from(&grid, end) + 1;
    return grid;
}

static void page_live_extend(struct page_live *live, const struct live_point *point)
{
    if (point->size > live->most_bytes)
        live->most_bytes = point->size;
    if (point->size < live->least_bytes)
        live->least_bytes = point->size;
    if (point->objects > live->most_objects)
        live->most_objects = point->objects;
}

static struct page_live live_as(const struct live_point *point)
{
    return (struct page_live){point->size, point->size, point->objects};
}

/* What a walk over the live heap sets. */
struct live_taking {
    struct page_heap *heap;
    const struct live_walk *walk;
    size_t next;              /* the next instant to be set */
    struct live_point before; /* the point before the present one */
};

/* Sets the instants before the present point, and adds the point to the instant that it leads
 * to.
 */
static void take_point(struct live_taking *taking)
{
    const struct live_point *point = &taking->walk->point;
    struct page_heap *heap = taking->heap;
    size_t instant = instant_from(&heap->grid, point->bytes);
    for (; taking->next <= instant; taking->next++)
        heap->live[taking->next] = live_as(&taking->before);
    page_live_extend(&heap->live[instant], point);
    taking->before = *point;
}

/* An instant may be between two allocations of a tick, so each allocation counts. */
static void take_birth(void *context, const struct birth_facts *birth)
{
    (void)birth;
    take_point(context);
}

static void take_live(struct page_heap *heap, struct live_walk *walk)
{
    struct live_taking taking = {.heap = heap, .walk = walk, .before = walk->point};
    walk->observer = (struct live_observer){.born = take_birth, .context = &taking};
    while (live_next(walk))
        take_point(&taking);
    for (; taking.next < heap->grid.count; taking.next++)
        heap->live[taking.next] = live_as(&taking.before);
}

enum status page_heap_find(struct page_heap *heap, const struct life_stream *stream,
                           struct failure *why)
{
    struct live_walk walk;
    heap->grid = grid_of(life_stream_summary(stream)->end.bytes);
    enum status status = live_start(&walk, stream, why);
    if (status == STATUS_OK) {
        take_live(heap, &walk);
        status = walk.status;
    }
    live_end(&walk);
    return status;
}

/* Four limits for each doubling: the powers of the fourth root of two. */
static void set_survival_limits(struct page_plots *plots)
{
    /* Powers of the fourth root of 2, times 2^32. */
    static const uint64_t roots[SURVIVALS_A_DOUBLING] = {
        UINT64_C(4294967296), UINT64_C(5107605667), UINT64_C(6074000999), UINT64_C(7223248234)};
    for (size_t i = 0; i < PAGE_SURVIVALS; i++) {
        size_t exponent = SURVIVAL_FIRST_EXPONENT + i / SURVIVALS_A_DOUBLING;
        wide_sum limit = ((wide_sum)roots[i % SURVIVALS_A_DOUBLING] << exponent) >> 32;
        if (limit > plots->heap.grid.end)
            break;
        plots->survival_limits[i] = (uint64_t)limit;
        plots->survival_count = i + 1;
    }
}

enum status page_plots_start(struct page_plots *plots, const struct life_stream *stream,
                             struct failure *why)
{
    enum status status = page_heap_find(&plots->heap, stream, why);
    set_survival_limits(plots);
    return status;
}

/* The number of limits that are not more than `bytes`. */
static size_t limits_reached(const struct page_plots *plots, uint64_t bytes)
{
    if (bytes < UINT64_C(1) << SURVIVAL_FIRST_EXPONENT)
        return 0;
    size_t exponent = 63 - (size_t)__builtin_clzll(bytes);
    size_t count = (exponent - SURVIVAL_FIRST_EXPONENT) * SURVIVALS_A_DOUBLING + 1;
    while (count < plots->survival_count && plots->survival_limits[count] <= bytes)
        count++;
    return count < plots->survival_count ? count : plots->survival_count;
}

/* Until page_plots_finish, a survival has only what reaches so many limits and no more. */
static void add_survivals(struct page_plots *plots, const struct life_facts *life)
{
    uint64_t after = plots->heap.grid.end - life->born.bytes;
    amount_add(&plots->survivals[limits_reached(plots, after)].eligible, life->size);
    amount_add(&plots->survivals[limits_reached(plots, life_bytes(life))].survived, life->size);
}

/* A nursery is collected when a multiple of its size is allocated; what has died by then is
 * freed. */
static void add_nurseries(struct page_plots *plots, const struct life_facts *life)
{
    uint64_t end = plots->heap.grid.end;
    for (size_t i = PAGE_NURSERY_FIRST; i < PAGE_NURSERIES && UINT64_C(1) << i <= end; i++) {
        uint64_t rest = (UINT64_C(1) << i) - 1;
        if (life->born.bytes > end - (-life->born.bytes & rest))
            return; /* the trace ends before this collection, and before those of larger
                       nurseries */
        uint64_t collected = life->born.bytes + (-life->born.bytes & rest);
        struct page_survival *nursery = &plots->nurseries[i];
        amount_add(&nursery->eligible, life->size);
        if (life->survives || life->died.bytes > collected)
            amount_add(&nursery->survived, life->size);
    }
}

static void add_between(uint64_t *series, size_t from, size_t to, uint64_t size)
{
    if (from >= to)
        return;
    series[from] += size;
    series[to] -= size;
}

/* The least age of objects in a band, in bytes. */
static uint64_t page_band_from(size_t band)
{
    return band == 0 ? 0 : FIRST_BAND << 2 * (band - 1);
}

/* The first instant that is at least `bytes` after the birth, but at most `most`. */
static size_t instant_after(const struct page_grid *grid, const struct life_facts *life,
                            uint64_t bytes, size_t most)
{
    if (bytes > grid->end - life->born.bytes)
        return most;
    size_t instant = instant_from(grid, life->born.bytes + bytes);
    return instant < most ? instant : most;
}

static void add_ages(struct page_plots *plots, const struct life_facts *life, size_t first,
                     size_t end)
{
    for (size_t band = 0; band < PAGE_BANDS && first < end; band++) {
        size_t next = end;
        if (band + 1 < PAGE_BANDS)
            next = instant_after(&plots->heap.grid, life, page_band_from(band + 1), end);
        add_between(plots->ages[band], first, next, life->size);
        first = next;
    }
}

static void add_phases_of(struct page_plots *plots, const struct life_facts *life, size_t first,
                          size_t end)
{
    if (life->uses < 2) {
        add_between(plots->phases[PAGE_VOID], first, end, life->size);
        return;
    }
    size_t last = end;
    if (!life->dies_before_use) {
        last = instant_from(&plots->heap.grid, life->last_use.bytes);
        last = last < first ? first : last < end ? last : end;
    }
    add_between(plots->phases[PAGE_IN_USE], first, last, life->size);
    add_between(plots->phases[PAGE_DRAGGED], last, end, life->size);
}

void page_plots_add(struct page_plots *plots, const struct life_facts *life, bool has_uses)
{
    add_survivals(plots, life);
    add_nurseries(plots, life);
    size_t first = instant_from(&plots->heap.grid, life->born.bytes);
    size_t end = life->survives ? plots->heap.grid.count
                                : instant_from(&plots->heap.grid, life->died.bytes);
    if (first >= end)
        return;
    add_ages(plots, life, first, end);
    if (has_uses)
        add_phases_of(plots, life, first, end);
}

static void add_up(uint64_t *series, size_t count)
{
    for (size_t i = 1; i < count; i++)
        series[i] += series[i - 1];
}

/* Adds what reaches more limits to what reaches fewer. */
static void add_up_survivals(struct page_plots *plots)
{
    for (size_t i = plots->survival_count; i > 0; i--) {
        const struct page_survival *more = &plots->survivals[i];
        struct page_survival *survival = &plots->survivals[i - 1];
        survival->eligible = amount_sum(survival->eligible, more->eligible);
        survival->survived = amount_sum(survival->survived, more->survived);
    }
    memmove(plots->survivals, plots->survivals + 1,
            plots->survival_count * sizeof *plots->survivals);
}

void page_plots_finish(struct page_plots *plots)
{
    for (size_t i = 0; i < PAGE_BANDS; i++)
        add_up(plots->ages[i], plots->heap.grid.count);
    for (size_t i = 0; i < PAGE_PHASES; i++)
        add_up(plots->phases[i], plots->heap.grid.count);
    add_up_survivals(plots);
}

/* How many bands there are. */
static size_t page_band_count(const struct page_plots *plots)
{
    size_t count = 1;
    while (count < PAGE_BANDS && page_band_from(count) < plots->heap.grid.end)
        count++;
    return count;
}

/* The exponent after that of the largest nursery. */
static size_t page_nursery_end(const struct page_plots *plots)
{
    size_t end = PAGE_NURSERY_FIRST;
    while (end < PAGE_NURSERIES && UINT64_C(1) << end <= plots->heap.grid.end)
        end++;
    return end;
}

static uint64_t instant_at(const struct page_grid *grid, size_t number)
{
    return number + 1 < grid->count ? number * grid->step : grid->end;
}

void page_heap_put(struct form *form, const char *path, const struct page_heap *heap)
{
    form_list(form, path, NULL, 0);
    for (size_t i = 0; form_next(form, i, heap->grid.count); i++) {
        const struct page_live *live = &heap->live[i];
        form_item(form);
        form_put(form, "bytes_allocated", "bytes", value_number(instant_at(&heap->grid, i)));
        form_put(form, "most_live_bytes", "bytes", value_number(live->most_bytes));
        form_put(form, "least_live_bytes", "bytes", value_number(live->least_bytes));
        form_put(form, "most_live_objects", "objects", value_number(live->most_objects));
    }
}

static void put_ages(struct form *form, const struct page_plots *plots)
{
    enum { KEY = sizeof "from_18446744073709551615" };
    char keys[PAGE_BANDS][KEY];
    size_t count = page_band_count(plots);
    for (size_t band = 0; band < count; band++)
        snprintf(keys[band], KEY, "from_%" PRIu64, page_band_from(band));
    form_list(form, "ages", NULL, 0);
    for (size_t i = 0; form_next(form, i, plots->heap.grid.count); i++) {
        form_item(form);
        for (size_t band = 0; band < count; band++)
            form_put(form, keys[band], "bytes", value_number(plots->ages[band][i]));
    }
    form_end(form);
}

static void put_phases(struct form *form, const struct page_plots *plots)
{
    form_list(form, "phases", NULL, 0);
    for (size_t i = 0; form_next(form, i, plots->heap.grid.count); i++) {
        form_item(form);
        form_put(form, "in_use", "bytes", value_number(plots->phases[PAGE_IN_USE][i]));
        form_put(form, "dragged", "bytes", value_number(plots->phases[PAGE_DRAGGED][i]));
        form_put(form, "never_used", "bytes", value_number(plots->phases[PAGE_VOID][i]));
    }
}

/* Puts a row of what survives an amount of allocation, which is called by `key`. */
static void put_survival(struct form *form, const char *key, uint64_t amount,
                         const struct page_survival *survival)
{
    form_item(form);
    form_put(form, key, "bytes", value_number(amount));
    form_put(form, "eligible_bytes", "bytes", value_number(survival->eligible.bytes));
    form_put(form, "survived_bytes", "bytes", value_number(survival->survived.bytes));
    form_put(form, "eligible_objects", "objects", value_number(survival->eligible.objects));
    form_put(form, "survived_objects", "objects", value_number(survival->survived.objects));
}

static void put_survivals(struct form *form, const struct page_plots *plots)
{
    size_t nurseries = page_nursery_end(plots) - PAGE_NURSERY_FIRST;
    form_list(form, "survival", NULL, 0);
    for (size_t i = 0; form_next(form, i, plots->survival_count); i++)
        put_survival(form, "bytes_allocated", plots->survival_limits[i], &plots->survivals[i]);
    form_list(form, "nurseries", NULL, 0);
    for (size_t i = 0; form_next(form, i, nurseries); i++)
        put_survival(form, "nursery_bytes", UINT64_C(1) << (PAGE_NURSERY_FIRST + i),
                     &plots->nurseries[PAGE_NURSERY_FIRST + i]);
}

void page_plots_put(struct form *form, const struct page_plots *plots, bool has_uses)
{
    page_heap_put(form, "live", &plots->heap);
    put_ages(form, plots);
    if (has_uses)
        put_phases(form, plots);
    put_survivals(form, plots);
}
