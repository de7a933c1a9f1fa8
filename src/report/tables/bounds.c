/* SPDX-License-Identifier: MIT */
/* The methods of an object prove that it is alive while they run, and its free that it is dead:
 * it died in between. Differences and sums of times have 128 bits, since a trace may count
 * nanoseconds and have many objects. */
#include "report/report.h"

#include "base/memory.h"
#include "report/form/value.h"
#include "report/print.h"

#include <stdlib.h>

__extension__ typedef __int128 wide_span;

struct bounded_object {
    uint64_t id;
    uint64_t type;
    int64_t allocated;
    int64_t lower;         /* the last moment that proves it alive */
    int64_t upper;         /* when it was freed, or the end of the trace */
    uint32_t constructors; /* constructors of the object that are running */
    bool is_used;          /* a method was called after its constructors */
    bool is_freed;
};

/* Sums over objects. */
struct sums {
    uint64_t objects, censored, unused;
    wide_span drag, lifetime_lower, lifetime_upper, median_drag;
};

struct bounds {
    enum receiver_until until;
    struct bounded_object *objects; /* by serial - 1 */
    size_t count, capacity;
    int64_t end;
    bool has_end; /* a VD record gave the end */
};

static enum status bounds_add_object(struct bounds *bounds, const struct moment *moment,
                                     struct failure *why)
{
    if (!ARRAY_RESERVE(bounds->objects, bounds->capacity, bounds->count + 1))
        return fail_memory(why);
    bounds->objects[bounds->count++] = (struct bounded_object){
        .id = moment->object,
        .type = moment->type,
        .allocated = moment->time,
        .lower = moment->time,
    };
    return STATUS_OK;
}

static void bounds_use(struct bounded_object *object, int64_t time)
{
    if (time > object->lower)
        object->lower = time;
}

static void bounds_enter(struct bounded_object *object, const struct moment *moment)
{
    bounds_use(object, moment->time);
    if (moment->constructor)
        object->constructors++;
    else if (object->constructors == 0)
        object->is_used = true;
}

/* A call is left. An abandoned frame proves nothing, since no event shows when it was left. */
static void bounds_leave(const struct bounds *bounds, struct bounded_object *object,
                         const struct moment *moment)
{
    if (bounds->until == RECEIVER_UNTIL_EXIT && moment->kind != MOMENT_ABANDONED)
        bounds_use(object, moment->time);
    object->constructors -= moment->constructor;
}

static void bounds_change(const struct bounds *bounds, struct bounded_object *object,
                          const struct moment *moment)
{
    if (moment->kind == MOMENT_FREED) {
        object->upper = moment->time;
        object->is_freed = true;
    } else if (moment->kind == MOMENT_ENTERED) {
        bounds_enter(object, moment);
    } else {
        bounds_leave(bounds, object, moment);
    }
}

static enum status bounds_take(void *context, const struct moment *moment, struct failure *why)
{
    struct bounds *bounds = context;
    if (!bounds->has_end)
        bounds->end = moment->time;
    switch (moment->kind) {
    case MOMENT_OTHER:
        break;
    case MOMENT_ENDED:
        bounds->has_end = true;
        break;
    case MOMENT_ALLOCATED:
        return bounds_add_object(bounds, moment, why);
    case MOMENT_ENTERED:
    case MOMENT_LEFT:
    case MOMENT_ABANDONED:
    case MOMENT_FREED:
        if (moment->serial > 0)
            bounds_change(bounds, &bounds->objects[moment->serial - 1], moment);
    }
    return STATUS_OK;
}

static enum status bounds_read_all(struct bounds *bounds, struct reader *reader,
                                   struct failure *why)
{
    enum status status = reader->methods->moments(reader, bounds_take, bounds, why);
    for (size_t i = 0; i < bounds->count; i++)
        if (!bounds->objects[i].is_freed)
            bounds->objects[i].upper = bounds->end;
    return status;
}

static wide_span drag_of(const struct bounded_object *object)
{
    return (wide_span)object->upper - object->lower;
}

/* The order of objects with equal drag and class does not matter: they add the same to all
 * figures. */
static int compare_drags(const void *left, const void *right)
{
    wide_span a = drag_of(left), b = drag_of(right);
    return (a > b) - (a < b);
}

static int compare_types(const void *left, const void *right)
{
    uint64_t a = ((const struct bounded_object *)left)->type,
             b = ((const struct bounded_object *)right)->type;
    return a != b ? (a > b) - (a < b) : compare_drags(left, right);
}

/* The sums over `count` (not 0) objects, sorted by drag. */
static struct sums sum(const struct bounded_object *objects, size_t count)
{
    struct sums sums = {.objects = count, .median_drag = drag_of(&objects[(count - 1) / 2])};
    for (size_t i = 0; i < count; i++) {
        const struct bounded_object *object = &objects[i];
        sums.censored += !object->is_freed;
        sums.unused += !object->is_used;
        sums.drag += drag_of(object);
        sums.lifetime_lower += (wide_span)object->lower - object->allocated;
        sums.lifetime_upper += (wide_span)object->upper - object->allocated;
    }
    return sums;
}

static void bounds_put_span(struct table *table, wide_span value)
{
    char text[1 + WIDE_SIZE];
    wide_sum size = value < 0 ? -(wide_sum)value : (wide_sum)value;
    size_t begin = (size_t)(figures_format_wide(text + 1, size) - text);
    if (value < 0)
        text[--begin] = '-';
    table_text(table, text + begin);
}

static void put_object(struct table *table, const struct bounded_object *object,
                       const char *class_name)
{
    table_text(table, "object");
    table_text(table, class_name);
    table_number(table, object->id);
    table_number(table, 1);
    bounds_put_span(table, object->allocated);
    bounds_put_span(table, object->lower);
    bounds_put_span(table, object->upper);
    bounds_put_span(table, drag_of(object));
    bounds_put_span(table, (wide_span)object->lower - object->allocated);
    bounds_put_span(table, (wide_span)object->upper - object->allocated);
    table_number(table, !object->is_freed);
    table_number(table, !object->is_used);
    table_empty(table);
    table_empty(table);
    table_end_row(table);
}

/* Writes the row of the sums over objects that are sorted by drag; `class_name` NULL: all
 * objects. */
static void put_sums(struct table *table, const struct bounded_object *objects, size_t count,
                     const char *class_name)
{
    struct sums sums = sum(objects, count);
    table_text(table, class_name ? "class" : "all");
    table_text(table, class_name ? class_name : "");
    table_empty(table);
    table_number(table, sums.objects);
    for (int i = 0; i < 3; i++)
        table_empty(table);
    bounds_put_span(table, sums.drag);
    bounds_put_span(table, sums.lifetime_lower);
    bounds_put_span(table, sums.lifetime_upper);
    table_number(table, sums.censored);
    table_number(table, sums.unused);
    value_put(table, value_share(sums.unused, sums.objects));
    bounds_put_span(table, sums.median_drag);
    table_end_row(table);
}

static void bounds_put_head(struct table *table, enum receiver_until until)
{
    table_comment(
        table,
        until == RECEIVER_UNTIL_EXIT
            ? "# lower: last exit of a method of the object (--receiver-until=exit), which may"
              " be far too early, since parameters, local variables and fields are not in"
              " the trace; upper: free or (censored) end of the trace"
            : "# lower: last entry of a method of the object (--receiver-until=entry), which "
              "may"
              " be far too early, since parameters, local variables and fields are not in"
              " the trace; upper: free or (censored) end of the trace");
    table_names(table, "row class object objects allocated lower upper drag lifetime_lower "
                       "lifetime_upper censored unused unused_share median_drag");
    table_end_row(table);
}

/* Writes the rows of classes. Sorts the objects for that, so their own rows must have been
 * written before. */
static void bounds_put_classes(struct table *table, struct bounds *bounds,
                               const struct names *names)
{
    struct bounded_object *objects = bounds->objects;
    if (bounds->count == 0)
        return;
    qsort(objects, bounds->count, sizeof *objects, compare_types);
    for (size_t begin = 0, end; begin < bounds->count; begin = end) {
        uint64_t type = objects[begin].type;
        for (end = begin; end < bounds->count && objects[end].type == type;)
            end++;
        put_sums(table, objects + begin, end - begin, names_find(names, NAMES_TYPE, type));
    }
    qsort(objects, bounds->count, sizeof *objects, compare_drags);
    put_sums(table, objects, bounds->count, NULL);
}

static enum status bounds_finish(struct report *report, struct failure *why)
{
    struct table *table = &report->table;
    struct reader *reader = report->material->reader;
    const struct names *names = reader->names;
    struct bounds bounds = {.until = report->material->settings->receiver_until};
    enum status status = reader_check(reader, bounds_read_all(&bounds, reader, why),
                                      report->material->digest, why);
    if (status == STATUS_OK) {
        bounds_put_head(table, bounds.until);
        for (size_t i = 0; i < bounds.count; i++)
            put_object(table, &bounds.objects[i],
                       names_find(names, NAMES_TYPE, bounds.objects[i].type));
        bounds_put_classes(table, &bounds, names);
    }
    free(bounds.objects);
    return status;
}

/* The report of --bounds, which reads the trace once more: a note and the names of the columns,
 * then a row an object, a row a class and a row for all. Times are those of the trace. */
const struct report_class bounds_report = {
    .is_table = true, .traits = TRAIT_READER_MOMENTS, .finish = bounds_finish};
