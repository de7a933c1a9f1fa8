/* SPDX-License-Identifier: MIT */
/* A collection shows which objects live at a boundary, of those that were allocated before it.
 * Each object has two numbers: the collection that found it dead, and the first one at which it
 * is dead by computation. At the collections between these two it is early or late. What is
 * live at each collection follows from where these intervals begin and end. Objects that were
 * there before the trace are not counted, as the file does not have them. The document has the
 * ratios of live bytes; then the objects that are early, and those that are late: all of them,
 * and the heaviest types. In text, a type without a name is called by its id. */
#include "base/memory.h"
#include "base/number.h"
#include "base/symbols.h"
#include "io/lines.h"
#include "report/check/check.h"
#include "report/form/common.h"
#include "report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The computed live bytes of a collection, divided by the true ones. */
struct live_ratio {
    struct value ratio;
    uint64_t time; /* of the collection */
};

struct live_ratios {
    struct value mean;
    struct live_ratio least, most;
};

/* Objects of a type that are early, or late; or those of all types. */
struct live_gap {
    uint64_t type;
    uint64_t objects;
    uint64_t bytes;
    uint64_t weight; /* bytes, times the collections at which they are wrong */
};

/* A collection. */
struct check_point {
    uint64_t tick;
    uint64_t objects, bytes; /* live after it */
    uint64_t change; /* by how much the computed live bytes differ from those at the point
                        before, modulo 2^64 */
};

/* The types of objects that are early, or late. */
struct check_types {
    struct interner numbers; /* indexes of types in `items` */
    struct live_gap *items;
    size_t count, capacity;
    struct live_gap all;
};

/* An id that a collection found dead. */
struct check_gone {
    uint64_t id;
    size_t point;
    uint64_t allocation; /* order_of the latest object with the id; 0: there is none */
    uint64_t line;       /* the first line that names it */
};

struct live_check {
    struct lines *lines;         /* of the file */
    const struct reader *reader; /* of the trace */
    struct check_point *points;
    size_t count, capacity;
    uint64_t whole;          /* live bytes of all collections together */
    struct interner ids;     /* indexes of ids in `gone` */
    struct check_gone *gone; /* in the order of the file */
    size_t gone_count, gone_capacity;
    struct check_types early, late;
};

/* Reads the numbers after the letter of a line, each after one blank; returns how many there
 * are, or 4 if the line is malformed. */
static size_t numbers_of(const struct line *line, uint64_t numbers[3])
{
    enum { MALFORMED = 4 };
    size_t count = 0, at = 1;
    while (at < line->length) {
        size_t end = at + 1;
        while (end < line->length && line->text[end] != ' ')
            end++;
        if (line->text[at] != ' ' || count == 3 ||
            number_parse(line->text + at + 1, end - at - 1, &numbers[count]) != NUMBER_OK)
            return MALFORMED;
        count++;
        at = end;
    }
    return count;
}

static enum status malformed_check(const struct lines *lines, const struct line *line,
                                   struct failure *why)
{
    return fail_at(why, STATUS_SYNTAX, lines_name(lines), line->number,
                   "This is no line of ettrace --check: they begin with G, L or #");
}

static enum status add_check_point(struct live_check *check, const struct lines *lines,
                                   const struct line *line, const uint64_t numbers[3],
                                   struct failure *why)
{
    if (check->count > 0 && check->points[check->count - 1].tick >= numbers[0])
        return fail_at(why, STATUS_SYNTAX, lines_name(lines), line->number,
                       "The clock does not go forward");
    if (__builtin_add_overflow(check->whole, numbers[2], &check->whole))
        return fail_at(why, STATUS_LIMIT, lines_name(lines), line->number,
                       "All collections together leave more than 2^64-1 bytes");
    if (!ARRAY_RESERVE(check->points, check->capacity, check->count + 1))
        return fail_memory(why);
    check->points[check->count++] =
        (struct check_point){.tick = numbers[0], .objects = numbers[1], .bytes = numbers[2]};
    return STATUS_OK;
}

/* Notes that a collection found `id` dead. */
static enum status add_gone(struct live_check *check, uint64_t id, uint64_t line,
                            struct failure *why)
{
    uint32_t number;
    TRY(interner_add(&check->ids, id, "objects", &number, why));
    if (!ARRAY_RESERVE(check->gone, check->gone_capacity, (size_t)number + 1))
        return fail_memory(why);
    if (number == check->gone_count)
        check->gone[check->gone_count++] = (struct check_gone){.id = id, .line = line};
    check->gone[number].point = check->count;
    return STATUS_OK;
}

/* A comment shows which trace the file is of. */
static enum status take_comment(const struct live_check *check, const struct lines *lines,
                                const struct line *line, struct failure *why)
{
    char id[TRACE_ID_DIGITS + 1];
    const char *wanted = check->reader->mark.id;
    if (!trace_mark_take_id(id, line->text, line->length))
        return malformed_check(lines, line, why);
    if (*wanted == '\0' || strcmp(id, wanted) == 0)
        return STATUS_OK;
    return fail_at(why, STATUS_MEANING, lines_name(lines), line->number,
                   "This file is of another trace: its id is %s, that of the trace is %s", id,
                   wanted);
}

static enum status take_line(struct live_check *check, const struct lines *lines,
                             const struct line *line, struct failure *why)
{
    uint64_t numbers[3] = {0};
    if (line->length > 0 && line->text[0] == '#')
        return take_comment(check, lines, line, why);
    size_t count = line->length > 0 ? numbers_of(line, numbers) : 0;
    if (line->length > 0 && line->text[0] == 'L' && count == 3)
        return add_check_point(check, lines, line, numbers, why);
    if (line->length == 0 || line->text[0] != 'G' || count != 1)
        return malformed_check(lines, line, why);
    return add_gone(check, numbers[0], line->number, why);
}

/* Reads the file. A last line without an end is ignored: a program that is killed may leave
 * one. */
static enum status read_check_lines(struct live_check *check, struct lines *lines,
                                    struct failure *why)
{
    struct line line;
    enum status status;
    while ((status = lines_next(lines, &line, why)) == STATUS_OK && line.has_end)
        if ((status = take_line(check, lines, &line, why)) != STATUS_OK)
            return status;
    return status == STATUS_END ? STATUS_OK : status;
}

static enum status live_check_begin(struct report *report, struct failure *why)
{
    struct live_check *check = report->state = calloc(1, sizeof *check);
    if (!check)
        return fail_memory(why);
    check->reader = report->material->reader;
    TRY(lines_open(&check->lines, report->path, NULL, why));
    return read_check_lines(check, check->lines, why);
}

/* What is known from collections about the id of a life; NULL: nothing. */
static struct check_gone *gone_of(const struct live_check *check, const struct life_facts *life)
{
    uint32_t number = interner_find(&check->ids, life->object);
    return number == NO_NUMBER ? NULL : &check->gone[number];
}

/* A number above 0 that grows from one record of an allocation to the next. life->allocation of
 * a prior object is the number of the allocation after it. */
static uint64_t order_of(const struct life_facts *life)
{
    return 2 * life->allocation + !life_is_prior(life) + 1;
}

static enum status live_check_add_life(struct report *report, const struct life_facts *life,
                                       struct failure *why)
{
    struct check_gone *gone = gone_of(report->state, life);
    (void)why; /* nothing fails */
    if (gone && gone->allocation < order_of(life))
        gone->allocation = order_of(life);
    return STATUS_OK;
}

/* Fails if the file has an object that the trace does not allocate, or no collection. */
static enum status check_file(const struct live_check *check, struct failure *why)
{
    for (size_t i = 0; i < check->gone_count; i++)
        if (check->gone[i].allocation == 0)
            return fail_at(why, STATUS_MEANING, lines_name(check->lines), check->gone[i].line,
                           "The trace does not allocate the object %" PRIu64,
                           check->gone[i].id);
    if (check->count == 0)
        return fail_at(why, STATUS_SYNTAX, lines_name(check->lines), 0,
                       "There is no collection in this file");
    return STATUS_OK;
}

/* The first point at or after the tick, with `after` only after it; check->count if there is
 * none. */
static size_t point_of(const struct live_check *check, uint64_t tick, bool after)
{
    size_t low = 0, high = check->count;
    BISECT(low, high, at,
           check->points[at].tick < tick || (after && check->points[at].tick == tick));
    return low;
}

static void add_to_gap(struct live_gap *gap, uint64_t bytes, uint64_t weight)
{
    gap->objects++;
    gap->bytes += bytes;
    gap->weight += weight;
}

/* Adds an object that is early or late at `points` collections. `path` is the file of these. */
static enum status add_gap(struct check_types *types, const char *path, uint64_t type,
                           uint64_t bytes, size_t points, struct failure *why)
{
    uint64_t weight, whole;
    if (__builtin_mul_overflow(bytes, (uint64_t)points, &weight) ||
        __builtin_add_overflow(types->all.weight, weight, &whole))
        return fail_at(why, STATUS_LIMIT, path, 0,
                       "Bytes that are early or late, times collections, are more than 2^64-1");
    uint32_t number;
    TRY(interner_add(&types->numbers, type, "types", &number, why));
    if (!ARRAY_RESERVE(types->items, types->capacity, (size_t)number + 1))
        return fail_memory(why);
    if (number == types->count)
        types->items[types->count++] = (struct live_gap){.type = type};
    add_to_gap(&types->items[number], bytes, weight);
    add_to_gap(&types->all, bytes, weight);
    return STATUS_OK;
}

/* The collection that found `life` dead; check->count: none did. */
static size_t point_of_gone(const struct live_check *check, const struct life_facts *life)
{
    const struct check_gone *gone = gone_of(check, life);
    return gone && gone->allocation == order_of(life) ? gone->point : check->count;
}

/* Called after all lives have been seen, since of several objects with one id, only the latest
 * can be the one that collections found dead. */
static enum status compare_life(void *context, const struct life_facts *life,
                                struct failure *why)
{
    const struct report *report = context;
    struct live_check *check = report->state;
    if (life_is_prior(life))
        return STATUS_OK;
    size_t begin = point_of(check, life->born.tick, true);
    size_t dead = life->survives ? check->count : point_of(check, life->died.tick, false);
    size_t gone = point_of_gone(check, life);
    if (dead > begin) {
        check->points[begin].change += life->size;
        if (dead < check->count)
            check->points[dead].change -= life->size;
    } else {
        dead = begin;
    }
    if (gone < begin)
        gone = begin;
    if (dead < gone)
        return add_gap(&check->early, report->path, life->type, life->size, gone - dead, why);
    if (dead > gone)
        return add_gap(&check->late, report->path, life->type, life->size, dead - gone, why);
    return STATUS_OK;
}

/* Orders by weight, the heaviest first, then by type. */
static int compare_type_gaps(const void *a, const void *b)
{
    const struct live_gap *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? 1 : -1;
    return (x->type > y->type) - (x->type < y->type);
}

static void sort_types(struct check_types *types)
{
    if (types->count > 0)
        qsort(types->items, types->count, sizeof *types->items, compare_type_gaps);
}

/* The computed bytes, `part`, divided by the true ones, `whole`. Without true ones it is 1 or,
 * if there are computed ones, 2 (etmerlin-reports(5)). */
static double ratio_of(uint64_t part, uint64_t whole)
{
    if (whole == 0)
        return part == 0 ? 1 : 2;
    return (double)part / (double)whole;
}

static struct value rounded_ratio(double ratio)
{
    return value_ten_thousandths((wide_sum)(ratio * 10000 + 0.5));
}

/* The ratio at a point, with its time by `clock`. */
static struct live_ratio ratio_at(double ratio, const struct check_point *point,
                                  const struct clock *clock)
{
    return (struct live_ratio){rounded_ratio(ratio), clock_time(clock, point->tick)};
}

static struct live_ratios compare_curves(const struct live_check *check,
                                         const struct clock *clock)
{
    uint64_t computed = 0;
    double sum = 0, least = 0, most = 0;
    size_t least_at = 0, most_at = 0;
    for (size_t i = 0; i < check->count; i++) {
        computed += check->points[i].change;
        double ratio = ratio_of(computed, check->points[i].bytes);
        if (i == 0 || ratio < least)
            least = ratio, least_at = i;
        if (i == 0 || ratio > most)
            most = ratio, most_at = i;
        sum += ratio;
    }
    return (struct live_ratios){
        .mean = rounded_ratio(sum / (double)check->count),
        .least = ratio_at(least, &check->points[least_at], clock),
        .most = ratio_at(most, &check->points[most_at], clock),
    };
}

enum { RATIO_LABELS = 11, RATIOS = 10, LABELS = 31, TYPES_SHOWN = 10 };

static void put_ratio(struct form *form, const char *key, const char *label,
                      const struct live_ratio *ratio)
{
    char time[COMPOSED_SIZE];
    snprintf(time, sizeof time, "at time %" PRIu64, ratio->time);
    form_row(form, key, label);
    form_cell(form, "ratio", "", RATIOS, "ratio", ratio->ratio);
    form_put(form, "time", "time", value_number(ratio->time));
    form_cell(form, NULL, "", 0, "text", value_text(time));
}

static void put_ratios(struct form *form, const struct live_ratios *ratios)
{
    form_lines(form, "ratio", "computed / truly live bytes", RATIO_LABELS, RATIOS);
    form_line(form, "mean", "mean", "ratio", ratios->mean);
    form_rows(form, "ratio", NULL, RATIO_LABELS);
    put_ratio(form, "min", "least", &ratios->least);
    put_ratio(form, "max", "most", &ratios->most);
}

/* Puts objects that are wrong; `bytes` is what is live after all collections. */
static void put_gap(struct form *form, const struct live_gap *gap, uint64_t bytes)
{
    form_cell(form, "objects", "objects", 12, "objects", value_number(gap->objects));
    form_cell(form, "bytes", "bytes", 16, "bytes", value_number(gap->bytes));
    form_cell(form, "live_bytes_percent", "share", 10, "percent",
              value_share(gap->weight, bytes));
}

/* Puts all objects that are early, or late, then the heaviest types. */
static void put_gaps(struct form *form, const char *path, const char *types_path,
                     const char *title, const struct check_types *types,
                     const struct names *names, uint64_t bytes)
{
    static const struct live_gap none;
    size_t shown = types->count < TYPES_SHOWN ? types->count : TYPES_SHOWN;
    form_rows(form, path, title, LABELS);
    form_row(form, "", "all");
    put_gap(form, &types->all, bytes);
    form_list(form, types_path, NULL, LABELS);
    for (size_t i = 0; form_next(form, i, shown); i++) {
        const struct live_gap *gap = i < shown ? &types->items[i] : &none;
        const char *name = i < shown ? names_find(names, NAMES_TYPE, gap->type) : NULL;
        char id[NUMBER_DIGITS + 1];
        id[number_format(id, gap->type)] = '\0';
        form_row(form, "", name ? name : id);
        form_put(form, "id", "id", value_number(gap->type));
        form_put(form, "name", "name", value_text(name));
        put_gap(form, gap, bytes);
    }
}

/* Prints the report, as text or JSON; etmerlin-reports(5) has the keys. */
static void live_check_print(struct print *print, const struct report *report,
                             const struct live_check *check)
{
    const struct report_material *material = report->material;
    const struct names *names = material->names;
    const struct trace_origin origin =
        origin_of(check->reader, material->is_recorded ? NULL : &material->assumptions);
    const struct live_ratios ratios = compare_curves(check, &material->pass->clock);
    struct form *form =
        form_begin(print, material->settings->live_check_format, "live-check-1");
    if (!form)
        return;
    origin_put(form, &origin);
    assumptions_put(form, origin.assumptions);
    form_head(form, "");
    form_line(form, "checked_by", "checked by", "name", value_text(report->path));
    form_line(form, "collections", "GCs", "count", value_number(check->count));
    put_ratios(form, &ratios);
    put_gaps(form, "early", "early.types", "early: dead, but truly live", &check->early, names,
             check->whole);
    put_gaps(form, "late", "late.types", "late: live, but truly dead", &check->late, names,
             check->whole);
    form_finish(form);
}

static enum status live_check_finish(struct report *report, struct failure *why)
{
    struct live_check *check = report->state;
    struct print print = {.sink = report->sink, .why = why};
    TRY(check_file(check, why));
    TRY(lives_visit(report->material->stream, compare_life, report, why));
    sort_types(&check->early);
    sort_types(&check->late);
    live_check_print(&print, report, check);
    return print.status;
}

static void live_check_release(struct report *report)
{
    struct live_check *check = report->state;
    if (!check)
        return;
    lines_close(check->lines);
    interner_free(&check->ids);
    interner_free(&check->early.numbers);
    interner_free(&check->late.numbers);
    free(check->early.items);
    free(check->late.items);
    free(check->points);
    free(check->gone);
    free(check);
}

/* The report of --live-check, which reads report->path, a file that ettrace --check has
 * written: a line with the id of the trace (trace/trace_mark.h), lines `G id` of objects that a
 * collection found dead, and after them `L clock objects bytes`, what it left. STATUS_SYNTAX:
 * there is another line in it, clocks that do not ascend, or no collection; STATUS_MEANING: the
 * id of another trace, or an object that the trace does not allocate. */
const struct report_class live_check_report = {.reads = true,
                                               .wants = WANT_CLOCK,
                                               .traits = TRAIT_NAMES,
                                               .begin = live_check_begin,
                                               .life = live_check_add_life,
                                               .finish = live_check_finish,
                                               .release = live_check_release};
