/* SPDX-License-Identifier: MIT */
/* Finds the cheapest path through a graph (Viterbi's algorithm). A node is a field written in
 * one of several ways; an edge costs the metadata between two fields and the bytes of the
 * second. There are so few ways that all are tried. */
#include "formats/lifetimes/hatf.h"

#include <stdlib.h>

/* A way to write a field. A stride has two ways: its first field may have any value, and its
 * second shows what the stride is. */
struct way {
    uint8_t interpretation;
    uint8_t width;
};

enum {
    PLAIN_1,
    PLAIN_2,
    PLAIN_4,
    PLAIN_8,
    PLAIN_0,
    PLAIN_V1,
    DEFAULT,
    DELTA_0,
    DELTA_1,
    DELTA_2,
    DELTA_4,
    BASE_OFFSET_4,
    STRIDE_BEGIN,
    STRIDE,
    WAYS
};

static const struct way ways[WAYS] = {
    [PLAIN_1] = {HATF_NONE, 1},        [PLAIN_2] = {HATF_NONE, 2},
    [PLAIN_4] = {HATF_NONE, 4},        [PLAIN_8] = {HATF_NONE, 8},
    [PLAIN_0] = {HATF_NONE, 0},        [PLAIN_V1] = {HATF_NONE, HATF_V1},
    [DEFAULT] = {HATF_DEFAULT, 0},     [DELTA_0] = {HATF_DELTA, 0},
    [DELTA_1] = {HATF_DELTA, 1},       [DELTA_2] = {HATF_DELTA, 2},
    [DELTA_4] = {HATF_DELTA, 4},       [BASE_OFFSET_4] = {HATF_BASE_OFFSET, 4},
    [STRIDE_BEGIN] = {HATF_STRIDE, 0}, [STRIDE] = {HATF_STRIDE, 0},
};

#define WAY(way) (1U << (way))

/* The ways that may pay for each type of field. Those of numbers include PLAIN_8, which any
 * number fits. */
enum {
    PLAIN = WAY(PLAIN_1) | WAY(PLAIN_2) | WAY(PLAIN_4) | WAY(PLAIN_8),
    DELTA = WAY(DELTA_0) | WAY(DELTA_1) | WAY(DELTA_2) | WAY(DELTA_4),
};
static const uint16_t ways_of[HATF_FIELDS] = {
    [HATF_SIZE] = PLAIN | WAY(DEFAULT),
    [HATF_ADDRESS] = PLAIN | DELTA | WAY(BASE_OFFSET_4) | WAY(STRIDE_BEGIN) | WAY(STRIDE),
    [HATF_TIME] = PLAIN | DELTA,
    [HATF_THREAD] = PLAIN | WAY(DEFAULT),
    [HATF_ATTRIBUTES] = WAY(PLAIN_0) | WAY(PLAIN_V1),
};

/* The bytes of a metadata record, by its number of arguments. */
enum { METADATA_0 = 4, METADATA_1 = 12, METADATA_2 = 20 };

/* More than any plan costs, but so little that sums do not overflow. */
enum { IMPOSSIBLE = 1 << 30 };

/* The cheapest plan that ends with a field written in one way: its cost, and its last edge. */
struct path {
    uint32_t cost;
    uint8_t from; /* the way of the field before */
    uint8_t change;
};

struct hatf_planner {
    enum hatf_field field;
    const struct hatf_settings *settings; /* before the first field */
    const struct hatf_column *column;
    uint64_t base;
    uint8_t cheapest[HATF_STRIDE + 1]; /* cheapest way of the field before, by interpretation */
    uint8_t cheapest_of_all;
    struct path before[WAYS]; /* the first field */
    struct path paths[HATF_PLAN_MAX][WAYS];
};

struct hatf_planner *hatf_planner_new(void)
{
    return malloc(sizeof(struct hatf_planner));
}

static bool is_allowed(const struct hatf_planner *planner, unsigned way)
{
    return ways_of[planner->field] & WAY(way);
}

/* Whether fields are absent in this way, so that there is no width to set. */
static bool has_no_width(const struct way *way)
{
    return way->interpretation == HATF_DEFAULT || way->interpretation == HATF_STRIDE;
}

static bool fits_signed(uint64_t difference, unsigned width)
{
    return load_sign(difference, width) == difference;
}

static uint64_t value_before(const struct hatf_planner *planner, size_t index)
{
    return index > 0 ? planner->column->values[index - 1] : planner->settings->previous;
}

/* The stride that field `index` must follow if the field before is written with a stride. */
static uint64_t stride_at(const struct hatf_planner *planner, size_t index)
{
    if (index == 0)
        return planner->settings->stride;
    return value_before(planner, index) - value_before(planner, index - 1);
}

/* Whether field `index` can be written in this way if the field before was, or at least has the
 * same interpretation. */
static bool can_follow(const struct hatf_planner *planner, unsigned number, size_t index)
{
    const struct way *way = &ways[number];
    uint64_t value = planner->column->values[index];
    uint64_t difference = value - value_before(planner, index);
    switch ((enum hatf_interpretation)way->interpretation) {
    case HATF_NONE:
        return way->width >= 8 || value >> 8 * way->width == 0;
    case HATF_DEFAULT:
        return difference == 0;
    case HATF_BASE_OFFSET:
        return fits_signed(value - planner->base, way->width);
    case HATF_DELTA:
        return fits_signed(difference, way->width);
    case HATF_STRIDE:
        return number == STRIDE && difference == stride_at(planner, index);
    }
    return false;
}

/* Whether field `index` can be written in this way if its interpretation has just been set,
 * with the default, initial value or stride that suits it. */
static bool can_begin(const struct hatf_planner *planner, unsigned number, size_t index)
{
    switch ((enum hatf_interpretation)ways[number].interpretation) {
    case HATF_NONE:
    case HATF_BASE_OFFSET:
        return can_follow(planner, number, index);
    case HATF_DEFAULT:
    case HATF_DELTA:
        return true;
    case HATF_STRIDE:
        return number == STRIDE_BEGIN;
    }
    return false;
}

static uint32_t cost_of_beginning(const struct way *way)
{
    if (way->interpretation == HATF_NONE)
        return METADATA_0 + METADATA_0;
    if (way->interpretation == HATF_STRIDE)
        return METADATA_2;
    return METADATA_1 + (has_no_width(way) ? 0 : METADATA_0);
}

static uint32_t cost_of_field(const struct way *way, uint64_t value)
{
    return way->width == HATF_V1 ? 1 + (uint32_t)value : way->width;
}

/* Makes `way` the cheapest if it costs less. */
static void note_cheaper(uint8_t *cheapest, const struct path *before, unsigned way)
{
    if (*cheapest == WAYS || before[way].cost < before[*cheapest].cost)
        *cheapest = (uint8_t)way;
}

static void find_cheapest(struct hatf_planner *planner, const struct path *before)
{
    for (unsigned i = 0; i <= HATF_STRIDE; i++)
        planner->cheapest[i] = WAYS;
    planner->cheapest_of_all = WAYS;
    for (unsigned way = 0; way < WAYS; way++) {
        if (!is_allowed(planner, way))
            continue;
        note_cheaper(&planner->cheapest[ways[way].interpretation], before, way);
        note_cheaper(&planner->cheapest_of_all, before, way);
    }
}

/* Replaces *best by the path through `from` if that costs less. */
static inline void improve(struct path *best, const struct path *before, unsigned from,
                           enum hatf_change change, uint32_t cost)
{
    if (before[from].cost + cost < best->cost)
        *best = (struct path){before[from].cost + cost, (uint8_t)from, (uint8_t)change};
}

/* The cheapest path to field `index`, written in way `number`. */
static struct path extend(const struct hatf_planner *planner, const struct path *before,
                          unsigned number, size_t index)
{
    const struct way *way = &ways[number];
    struct path best = {.cost = IMPOSSIBLE};
    if (can_follow(planner, number, index)) {
        improve(&best, before, number, HATF_STAY, 0);
        if (!has_no_width(way))
            improve(&best, before, planner->cheapest[way->interpretation], HATF_RESIZE,
                    METADATA_0);
    }
    if (number == STRIDE)
        improve(&best, before, STRIDE_BEGIN, HATF_STAY, 0);
    if (can_begin(planner, number, index))
        improve(&best, before, planner->cheapest_of_all, HATF_ENTER, cost_of_beginning(way));
    best.cost += cost_of_field(way, planner->column->values[index]);
    return best;
}

static void extend_all(struct hatf_planner *planner, size_t index)
{
    const struct path *before = index > 0 ? planner->paths[index - 1] : planner->before;
    find_cheapest(planner, before);
    for (unsigned way = 0; way < WAYS; way++)
        if (is_allowed(planner, way))
            planner->paths[index][way] = extend(planner, before, way, index);
}

/* Sets the paths to the point before the first field: only the way that *settings have costs
 * nothing, and all others are impossible. */
static void hatf_plan_begin(struct hatf_planner *planner)
{
    const struct hatf_settings *settings = planner->settings;
    for (unsigned way = 0; way < WAYS; way++) {
        bool is_set = ways[way].interpretation == settings->interpretation &&
                      way != STRIDE_BEGIN &&
                      (has_no_width(&ways[way]) || ways[way].width == settings->width);
        planner->before[way] = (struct path){.cost = is_set ? 0 : IMPOSSIBLE};
    }
}

/* The present base, or else the middle of the addresses, rounded up, since offsets reach one
 * further down than up. */
static uint64_t find_base(const struct hatf_settings *settings,
                          const struct hatf_column *column)
{
    if (settings->interpretation == HATF_BASE_OFFSET)
        return settings->argument;
    uint64_t least = UINT64_MAX, greatest = 0;
    for (size_t i = 0; i < column->count; i++) {
        least = column->values[i] < least ? column->values[i] : least;
        greatest = column->values[i] > greatest ? column->values[i] : greatest;
    }
    uint64_t span = greatest - least;
    return least + (span - span / 2);
}

/* The way of the last field on the cheapest path, with the cost of the way back to the plain
 * form. */
static unsigned find_last(const struct hatf_planner *planner, unsigned plain_width)
{
    const struct path *paths = planner->paths[planner->column->count - 1];
    unsigned last = WAYS;
    uint32_t least = UINT32_MAX;
    for (unsigned way = 0; way < WAYS; way++) {
        if (!is_allowed(planner, way))
            continue;
        uint32_t charge = METADATA_0 + METADATA_0;
        if (ways[way].interpretation == HATF_NONE)
            charge = ways[way].width == plain_width ? 0 : METADATA_0;
        if (paths[way].cost + charge < least) {
            least = paths[way].cost + charge;
            last = way;
        }
    }
    return last;
}

/* The step that leads to field `index`, written in way `number`; `next` is the way of the field
 * after it, or WAYS. */
static struct hatf_step make_step(const struct hatf_planner *planner, unsigned number,
                                  size_t index, unsigned next)
{
    const uint64_t *value = &planner->column->values[index];
    struct hatf_step step = {.change = planner->paths[index][number].change,
                             .interpretation = ways[number].interpretation,
                             .width = ways[number].width,
                             .argument = *value};
    if (step.interpretation == HATF_BASE_OFFSET)
        step.argument = planner->base;
    if (number == STRIDE_BEGIN && next == STRIDE)
        step.stride = value[1] - value[0];
    if (number == STRIDE_BEGIN)
        step.argument -= step.stride;
    return step;
}

void hatf_plan(struct hatf_planner *planner, enum hatf_field field,
               const struct hatf_settings *settings, unsigned plain_width,
               const struct hatf_column *column, struct hatf_step *steps)
{
    if (column->count == 0)
        return;
    planner->field = field;
    planner->settings = settings;
    planner->column = column;
    planner->base = find_base(settings, column);
    hatf_plan_begin(planner);
    for (size_t i = 0; i < column->count; i++)
        extend_all(planner, i);
    unsigned way = find_last(planner, plain_width), next = WAYS;
    for (size_t i = column->count; i-- > 0;) {
        steps[i] = make_step(planner, way, i, next);
        next = way;
        way = planner->paths[i][way].from;
    }
}
