/* SPDX-License-Identifier: MIT */
/* The table of --live: the live heap after each change, or over a number of equal intervals of
 * allocated bytes or of time, with the least and the most in each. live.c walks over births and
 * deaths. */
#include "report/report.h"

#include "report/figures.h"
#include "report/lives/live.h"

#define COLUMNS "time alloc_bytes live_objects live_bytes allocated died"

static void put_point(struct table *table, const struct live_point *point)
{
    table_number(table, point->time);
    table_number(table, point->bytes);
    table_number(table, point->objects);
    table_number(table, point->size);
    table_number(table, point->allocated);
    table_number(table, point->died);
}

static void live_write(struct table *table, struct live_walk *walk)
{
    table_names(table, COLUMNS);
    table_end_row(table);
    while (live_next(walk)) {
        put_point(table, &walk->point);
        table_end_row(table);
    }
}

/* The positions from `first` to `last` on an axis, divided into intervals. */
struct grid {
    enum live_axis axis;
    uint64_t first;
    uint64_t last;
    uint64_t intervals;
};

/* The position of a point on the axis. */
static uint64_t position_of(const struct grid *grid, const struct live_point *point)
{
    return grid->axis == LIVE_AXIS_BYTES ? point->bytes : point->time;
}

/* The number, from 0, of the interval that `position` is in; positions before the first are in
 * the first interval. */
static uint64_t interval_of(const struct grid *grid, uint64_t position)
{
    if (position < grid->first)
        return 0;
    wide_sum length = (wide_sum)(grid->last - grid->first) + 1;
    return (uint64_t)((wide_sum)(position - grid->first) * grid->intervals / length);
}

/* The last position in an interval. */
static uint64_t end_of(const struct grid *grid, uint64_t interval)
{
    wide_sum length = (wide_sum)(grid->last - grid->first) + 1;
    /* The next interval begins at the least position that interval_of puts there. */
    wide_sum next = (length * ((wide_sum)interval + 1) + grid->intervals - 1) / grid->intervals;
    return grid->first + (uint64_t)(next - 1);
}

/* The present interval. */
struct live_interval {
    uint64_t interval;
    /* The heap at its end, and what was allocated and died in all of it. */
    struct live_point point;
    uint64_t min_objects, max_objects;
    uint64_t min_size, max_size;
    bool has_point;
};

/* Begins an interval with the heap at the end of the one before. */
static void begin_span(struct live_interval *span, uint64_t interval)
{
    span->interval = interval;
    span->min_objects = span->max_objects = span->point.objects;
    span->min_size = span->max_size = span->point.size;
    span->point.allocated = span->point.died = 0;
    span->has_point = false;
}

static void add_point(struct live_interval *span, const struct live_point *point)
{
    uint64_t allocated = span->point.allocated + point->allocated;
    uint64_t died = span->point.died + point->died;
    span->point = *point;
    span->point.allocated = allocated;
    span->point.died = died;
    if (point->objects < span->min_objects)
        span->min_objects = point->objects;
    if (point->objects > span->max_objects)
        span->max_objects = point->objects;
    if (point->size < span->min_size)
        span->min_size = point->size;
    if (point->size > span->max_size)
        span->max_size = point->size;
    span->has_point = true;
}

/* Puts the row of an interval: its position on the axis is the end of the interval, that on the
 * other axis the last change in it. */
static void live_table_put_span(struct table *table, const struct grid *grid,
                                const struct live_interval *span)
{
    if (!span->has_point)
        return;
    struct live_point point = span->point;
    uint64_t end = end_of(grid, span->interval);
    if (grid->axis == LIVE_AXIS_BYTES)
        point.bytes = end;
    else
        point.time = end;
    put_point(table, &point);
    table_number(table, span->min_objects);
    table_number(table, span->max_objects);
    table_number(table, span->min_size);
    table_number(table, span->max_size);
    table_end_row(table);
}

/* Makes the grid, with at most as many intervals as positions. */
static struct grid make_grid(const struct report_material *material)
{
    const struct report_settings *settings = material->settings;
    struct lives_summary summary = *life_stream_summary(material->stream);
    bool is_bytes = settings->live_axis == LIVE_AXIS_BYTES;
    struct grid grid = {
        .axis = settings->live_axis,
        .first = is_bytes ? 0 : summary.first.time,
        .last = is_bytes ? summary.end.bytes : summary.end.time,
        .intervals = settings->live_points,
    };
    if (grid.intervals - 1 > grid.last - grid.first)
        grid.intervals = grid.last - grid.first + 1;
    return grid;
}

static void live_write_intervals(struct table *table, const struct grid *grid,
                                 struct live_walk *walk)
{
    table_names(table, COLUMNS " min_objects max_objects min_bytes max_bytes");
    table_end_row(table);
    struct live_interval span = {.point = walk->point};
    begin_span(&span, 0);
    while (live_next(walk)) {
        uint64_t interval = interval_of(grid, position_of(grid, &walk->point));
        if (interval != span.interval) {
            live_table_put_span(table, grid, &span);
            begin_span(&span, interval);
        }
        add_point(&span, &walk->point);
    }
    live_table_put_span(table, grid, &span);
}

static void live_write_table(struct report *report, struct live_walk *walk)
{
    if (report->material->settings->live_points > 0) {
        struct grid grid = make_grid(report->material);
        live_write_intervals(&report->table, &grid, walk);
    } else {
        live_write(&report->table, walk);
    }
}

static enum status live_finish(struct report *report, struct failure *why)
{
    struct live_walk walk;
    enum status status = live_start(&walk, report->material->stream, why);
    if (status == STATUS_OK) {
        live_write_table(report, &walk);
        status = walk.status;
    }
    live_end(&walk);
    return status;
}

/* The report of --live: a row for each point of the walk (live.h): after the allocations of a
 * tick, and after the deaths at a boundary. With intervals, over all bytes or from the first
 * boundary to the last, there is a row for each interval that has such points: the heap at its
 * end, how much was allocated and died in it, and the least and the most in it, its beginning
 * included. */
const struct report_class live_report = {
    .is_table = true, .wants = WANT_LIVES, .finish = live_finish};
