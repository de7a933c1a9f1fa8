/* SPDX-License-Identifier: MIT */
/* A collection stands directly behind a boundary, so an object takes part in it when it was
 * allocated before that boundary. Each object is two numbers: the collection that found it dead
 * and the one at which it is dead by computation. Between the two it is early or late; and what
 * is live at each collection follows from where these intervals begin and end. Objects that
 * were there before the trace are not counted, as they are not in the file. */
#include "report/lives/live_check.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/number.h"
#include "io/lines.h"
#include "report/print.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TYPES_SHOWN = 10 };

/* A collection. */
struct check_point {
    uint64_t tick;
    uint64_t objects, bytes; /* that it left */
    uint64_t change; /* of the computed live bytes since the point before, modulo 2^64 */
};

/* Objects of a type that are dead too early, or too late. */
struct check_type {
    uint64_t type;
    uint64_t objects;
    uint64_t bytes;
    uint64_t weight; /* bytes, times the collections at which they are wrong */
};

struct check_types {
    struct map places; /* type -> place + 1 */
    struct check_type *items;
    size_t count, capacity;
    uint64_t weight; /* of all */
};

struct live_check {
    struct check_point *points;
    size_t count, capacity;
    uint64_t whole;     /* bytes that all collections left */
    struct map objects; /* id -> allocation + 1 */
    size_t *gone;       /* by allocation: point at which it was found dead, or SIZE_MAX */
    size_t next;        /* allocation that comes by */
    struct check_types early, late;
};

/* Splits the line at blanks; returns how many numbers follow the letter, 4 if it is
 * malformed. */
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
                   "This is no line of a file that ettrace --check writes");
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
                       "The collections leave more than 2^64-1 bytes in all");
    struct check_point *points =
        array_grow(check->points, &check->capacity, check->count + 1, sizeof *points);
    if (!points)
        return fail_memory(why);
    check->points = points;
    points[check->count++] =
        (struct check_point){.tick = numbers[0], .objects = numbers[1], .bytes = numbers[2]};
    return STATUS_OK;
}

static enum status take_line(struct live_check *check, const struct lines *lines,
                             const struct line *line, struct failure *why)
{
    uint64_t numbers[3] = {0};
    size_t count = line->length > 0 ? numbers_of(line, numbers) : 0;
    if (line->length > 0 && line->text[0] == 'L' && count == 3)
        return add_check_point(check, lines, line, numbers, why);
    if (line->length == 0 || line->text[0] != 'G' || count != 1)
        return malformed_check(lines, line, why);
    const uint64_t *allocation = map_find(&check->objects, numbers[0]);
    if (!allocation)
        return fail_at(why, STATUS_MEANING, lines_name(lines), line->number,
                       "The trace does not allocate the object %" PRIu64, numbers[0]);
    check->gone[*allocation - 1] = check->count;
    return STATUS_OK;
}

/* A program that was killed may have left a line half written. */
static enum status read_check_lines(struct live_check *check, struct lines *lines,
                                    struct failure *why)
{
    struct line line;
    enum status status;
    while ((status = lines_next(lines, &line, why)) == STATUS_OK && line.has_end)
        if ((status = take_line(check, lines, &line, why)) != STATUS_OK)
            return status;
    if (status != STATUS_OK && status != STATUS_END)
        return status;
    if (check->count == 0)
        return fail_at(why, STATUS_SYNTAX, lines_name(lines), 0,
                       "There is no collection in this file");
    return STATUS_OK;
}

static enum status number_objects(struct live_check *check, const struct lives *lives,
                                  struct failure *why)
{
    size_t count = lives_count(lives);
    check->gone = array_new(count, sizeof *check->gone);
    if (!check->gone)
        return fail_memory(why);
    for (size_t i = 0; i < count; i++) {
        uint64_t *place = map_insert(&check->objects, lives_life(lives, i).object);
        if (!place)
            return fail_memory(why);
        *place = i + 1;
        check->gone[i] = SIZE_MAX;
    }
    return STATUS_OK;
}

enum status live_check_begin(struct report *report, struct failure *why)
{
    const struct report_material *material = report->material;
    struct live_check *check = report->state = calloc(1, sizeof *check);
    struct lines *lines;
    if (!check)
        return fail_memory(why);
    enum status status = number_objects(check, material->lives, why);
    if (status == STATUS_OK)
        status = lines_open(&lines, report->path, NULL, why);
    if (status != STATUS_OK)
        return status;
    status = read_check_lines(check, lines, why);
    lines_close(lines);
    return status;
}

/* The first point after the tick (`after`), or at it or after it; count if there is none. */
static size_t point_of(const struct live_check *check, uint64_t tick, bool after)
{
    size_t low = 0, high = check->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint64_t at = check->points[middle].tick;
        if (at > tick || (!after && at == tick))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* `path` is the file of collections. */
static enum status add_type_of_check(struct check_types *types, const char *path, uint64_t type,
                                     uint64_t bytes, size_t points, struct failure *why)
{
    uint64_t weight;
    if (__builtin_mul_overflow(bytes, (uint64_t)points, &weight) ||
        __builtin_add_overflow(types->weight, weight, &types->weight))
        return fail_at(why, STATUS_LIMIT, path, 0,
                       "Bytes that are early or late, times collections, are more than 2^64-1");
    uint64_t *place = map_insert(&types->places, type);
    if (!place)
        return fail_memory(why);
    if (*place == 0) {
        struct check_type *items =
            array_grow(types->items, &types->capacity, types->count + 1, sizeof *items);
        if (!items)
            return fail_memory(why);
        types->items = items;
        items[types->count] = (struct check_type){.type = type};
        *place = ++types->count;
    }
    struct check_type *item = &types->items[*place - 1];
    item->objects++;
    item->bytes += bytes;
    item->weight += weight;
    return STATUS_OK;
}

enum status live_check_allocated(struct report *report, const struct record *record,
                                 uint64_t line, uint64_t event, struct failure *why)
{
    struct live_check *check = report->state;
    size_t number = check->next++;
    (void)line, (void)event;
    if (record->kind == RECORD_PREEXISTING)
        return STATUS_OK;
    struct life life = lives_life(report->material->lives, number);
    size_t begin = point_of(check, life.born, true);
    size_t dead = life.has_died ? point_of(check, life.died, false) : check->count;
    size_t gone = check->gone[number] < check->count ? check->gone[number] : check->count;
    if (dead > begin) {
        check->points[begin].change += life.size;
        if (dead < check->count)
            check->points[dead].change -= life.size;
    } else {
        dead = begin;
    }
    if (gone < begin)
        gone = begin;
    if (dead < gone)
        return add_type_of_check(&check->early, report->path, record->type, life.size,
                                 gone - dead, why);
    if (dead > gone)
        return add_type_of_check(&check->late, report->path, record->type, life.size,
                                 dead - gone, why);
    return STATUS_OK;
}

/* Orders by weight, the heaviest first, then by type. */
static int compare_type_gaps(const void *a, const void *b)
{
    const struct check_type *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? 1 : -1;
    return (x->type > y->type) - (x->type < y->type);
}

static void print_types(struct print *print, const char *heading, struct check_types *types,
                        const struct names *names, uint64_t whole)
{
    char share[SHARE_SIZE];
    uint64_t objects = 0, bytes = 0;
    for (size_t i = 0; i < types->count; i++) {
        objects += types->items[i].objects;
        bytes += types->items[i].bytes;
    }
    print_text(print, "\n%-31s %12s %16s %10s\n", heading, "objects", "bytes", "share");
    print_text(print, "  %-29s %12" PRIu64 " %16" PRIu64 " %10s\n", "all", objects, bytes,
               print_share(share, types->weight, whole));
    if (types->count > 0)
        qsort(types->items, types->count, sizeof *types->items, compare_type_gaps);
    for (size_t i = 0; i < types->count && i < TYPES_SHOWN; i++) {
        const struct check_type *type = &types->items[i];
        const char *name = names_find(names, NAMES_TYPE, type->type);
        char number[NUMBER_DIGITS + 1];
        number[number_format(number, type->type)] = '\0';
        print_text(print, "  %-29s %12" PRIu64 " %16" PRIu64 " %10s\n", name ? name : number,
                   type->objects, type->bytes, print_share(share, type->weight, whole));
    }
}

/* What is computed is `part` of what is true: 1 if both are nothing. */
static double ratio_of(uint64_t part, uint64_t whole)
{
    if (whole == 0)
        return part == 0 ? 1 : 2;
    return (double)part / (double)whole;
}

/* Prints how the curves compare. */
static void print_curve(struct print *print, const struct live_check *check,
                        const struct lives *lives)
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
    print_text(print, "collections %8zu\n\n", check->count);
    print_text(print, "computed / truly live bytes\n  mean      %10.4f\n",
               sum / (double)check->count);
    print_text(print, "  least     %10.4f   at time %" PRIu64 "\n", least,
               lives_time(lives, check->points[least_at].tick));
    print_text(print, "  most      %10.4f   at time %" PRIu64 "\n", most,
               lives_time(lives, check->points[most_at].tick));
}

enum status live_check_finish(struct report *report, struct failure *why)
{
    struct live_check *check = report->state;
    const struct report_material *material = report->material;
    struct print print = {.sink = report->sink, .why = why};
    print_text(&print, "trace       %s\nchecked by  %s\n", material->trace, report->path);
    print_curve(&print, check, material->lives);
    print_types(&print, "early: dead, but truly live", &check->early, material->names,
                check->whole);
    print_types(&print, "late: live, but truly dead", &check->late, material->names,
                check->whole);
    return print.status;
}

void live_check_release(struct report *report)
{
    struct live_check *check = report->state;
    if (!check)
        return;
    map_free(&check->objects);
    map_free(&check->early.places);
    map_free(&check->late.places);
    free(check->early.items);
    free(check->late.items);
    free(check->points);
    free(check->gone);
    free(check);
}
