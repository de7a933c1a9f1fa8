/* An object's methods prove that it is alive while they run, and its free that it is not: in
 * between it died. Differences and sums of times are kept in 128 bits, for a trace may count
 * nanoseconds, and have many objects. */
#include "report/bounds.h"

#include "base/memory.h"
#include "formats/tracevis/steps.h"
#include "report/print.h"

#include <stdlib.h>

__extension__ typedef __int128 span;

struct object {
    uint64_t id;
    uint64_t type;
    int64_t allocated;
    int64_t lower;         /* the last moment that proves it alive */
    int64_t upper;         /* when it was freed, or the end */
    uint32_t constructors; /* of it that are running */
    bool is_used;          /* another method was called when no constructor ran */
    bool is_freed;
};

/* Sums over objects. */
struct sums {
    uint64_t objects, censored, unused;
    span drag, lifetime_lower, lifetime_upper, median_drag;
};

struct bounds {
    struct steps *steps;
    enum receiver_until until;
    struct object *objects; /* by serial; the first is that of serial 1 */
    size_t count, capacity;
    int64_t end;
    bool has_end; /* VD told it */
};

static enum status add_object(struct bounds *bounds, const struct step *step,
                              struct failure *why)
{
    struct object *objects =
        array_grow(bounds->objects, &bounds->capacity, bounds->count + 1, sizeof *objects);
    if (!objects)
        return fail_memory(why);
    bounds->objects = objects;
    objects[bounds->count++] = (struct object){
        .id = step->object,
        .type = step->type,
        .allocated = step->time,
        .lower = step->time,
    };
    return STATUS_OK;
}

static void use(struct object *object, int64_t time)
{
    if (time > object->lower)
        object->lower = time;
}

static void enter(struct object *object, const struct step *step)
{
    use(object, step->time);
    if (step->constructor)
        object->constructors++;
    else if (object->constructors == 0)
        object->is_used = true;
}

static void leave(const struct bounds *bounds, struct object *object, const struct step *step)
{
    if (bounds->until == RECEIVER_UNTIL_EXIT)
        use(object, step->time);
    object->constructors -= step->constructor;
}

static enum status take(struct bounds *bounds, const struct step *step, struct failure *why)
{
    if (!bounds->has_end)
        bounds->end = step->time;
    if (step->kind == STEP_NOTE) {
        bounds->has_end |= step->event->kind == EVENT_VM_ENDED;
        return STATUS_OK;
    }
    if (step->kind == STEP_ALLOCATE)
        return add_object(bounds, step, why);
    if (step->serial == 0)
        return STATUS_OK;
    struct object *object = &bounds->objects[step->serial - 1];
    if (step->kind == STEP_FREE) {
        object->upper = step->time;
        object->is_freed = true;
    } else if (step->kind == STEP_ENTER) {
        enter(object, step);
    } else {
        leave(bounds, object, step);
    }
    return STATUS_OK;
}

static enum status read_all(struct bounds *bounds, struct failure *why)
{
    struct step step;
    enum status status;
    while ((status = steps_next(bounds->steps, &step, why)) == STATUS_OK &&
           (status = take(bounds, &step, why)) == STATUS_OK)
        continue;
    for (size_t i = 0; i < bounds->count; i++)
        if (!bounds->objects[i].is_freed)
            bounds->objects[i].upper = bounds->end;
    return status == STATUS_END ? STATUS_OK : status;
}

static span drag_of(const struct object *object)
{
    return (span)object->upper - object->lower;
}

/* Objects of equal drag and class are alike in what is made of them: their order does not
 * matter. */
static int compare_drags(const void *left, const void *right)
{
    span a = drag_of(left), b = drag_of(right);
    return (a > b) - (a < b);
}

static int compare_types(const void *left, const void *right)
{
    uint64_t a = ((const struct object *)left)->type, b = ((const struct object *)right)->type;
    return a != b ? (a > b) - (a < b) : compare_drags(left, right);
}

/* The sums over `count` (not 0) objects, which are sorted by drag. */
static struct sums sum(const struct object *objects, size_t count)
{
    struct sums sums = {.objects = count, .median_drag = drag_of(&objects[(count - 1) / 2])};
    for (size_t i = 0; i < count; i++) {
        const struct object *object = &objects[i];
        sums.censored += !object->is_freed;
        sums.unused += !object->is_used;
        sums.drag += drag_of(object);
        sums.lifetime_lower += (span)object->lower - object->allocated;
        sums.lifetime_upper += (span)object->upper - object->allocated;
    }
    return sums;
}

static void put_span(struct table *table, span value)
{
    char text[48];
    char *at = text + sizeof text;
    bool negative = value < 0;
    unsigned digit;
    *--at = '\0';
    do {
        digit = (unsigned)(negative ? -(value % 10) : value % 10);
        *--at = (char)('0' + digit);
        value /= 10;
    } while (value != 0);
    if (negative)
        *--at = '-';
    table_text(table, at);
}

static void put_object(struct table *table, const struct object *object, const char *class)
{
    table_text(table, "object");
    table_text(table, class);
    table_number(table, object->id);
    table_number(table, 1);
    put_span(table, object->allocated);
    put_span(table, object->lower);
    put_span(table, object->upper);
    put_span(table, drag_of(object));
    put_span(table, (span)object->lower - object->allocated);
    put_span(table, (span)object->upper - object->allocated);
    table_number(table, !object->is_freed);
    table_number(table, !object->is_used);
    table_empty(table);
    table_empty(table);
    table_end_row(table);
}

/* Writes the sums over objects that are sorted by drag; class NULL: they are all objects. */
static void put_sums(struct table *table, const struct object *objects, size_t count,
                     const char *class)
{
    char share[SHARE_SIZE];
    struct sums sums = sum(objects, count);
    table_text(table, class ? "class" : "all");
    table_text(table, class ? class : "");
    table_empty(table);
    table_number(table, sums.objects);
    for (int i = 0; i < 3; i++)
        table_empty(table);
    put_span(table, sums.drag);
    put_span(table, sums.lifetime_lower);
    put_span(table, sums.lifetime_upper);
    table_number(table, sums.censored);
    table_number(table, sums.unused);
    table_text(table, print_share(share, sums.unused, sums.objects));
    put_span(table, sums.median_drag);
    table_end_row(table);
}

static void put_head(struct table *table, enum receiver_until until)
{
    table_text(table,
               until == RECEIVER_UNTIL_EXIT
                   ? "# lower: until a method of the object was left last"
                     " (--receiver-until=exit); parameters and locals and fields are not"
                     " seen: it may be far too early; upper: freed or (censored) the end"
                   : "# lower: until a method of the object was entered last"
                     " (--receiver-until=entry); parameters and locals and fields are not"
                     " seen: it may be far too early; upper: freed or (censored) the end");
    table_end_row(table);
    table_names(table, "row class object objects allocated lower upper drag lifetime_lower "
                       "lifetime_upper censored unused unused_share median_drag");
    table_end_row(table);
}

/* Sorts the objects, so that no row of an object can follow. */
static void put_classes(struct table *table, struct bounds *bounds, const struct names *names)
{
    struct object *objects = bounds->objects;
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

enum status bounds_write(struct table *table, struct source *trace, enum receiver_until until,
                         struct failure *why)
{
    struct bounds bounds = {.until = until};
    source_rewind(trace);
    enum status status = steps_open(&bounds.steps, trace, true, why);
    if (status == STATUS_OK)
        status = read_all(&bounds, why);
    if (status == STATUS_OK) {
        const struct names *names = steps_names(bounds.steps);
        put_head(table, until);
        for (size_t i = 0; i < bounds.count; i++)
            put_object(table, &bounds.objects[i],
                       names_find(names, NAMES_TYPE, bounds.objects[i].type));
        put_classes(table, &bounds, names);
    }
    steps_close(bounds.steps);
    free(bounds.objects);
    return status;
}
