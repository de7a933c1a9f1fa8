/* SPDX-License-Identifier: MIT */
/* No two fields of a class may have one name, but in a trace those of a class and its
 * superclasses are fields of one class. So some names are made longer, within bounds: what is
 * added must not be longer than the input that it comes from. */
#include "report/graph/heap_dump.h"

#include "base/memory.h"
#include "base/number.h"
#include "report/java_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for a name that is made from a number. */
enum { NUMBER_NAME_SIZE = 40 };

uint64_t dump_names_put(struct dump_names *names, const char *text, size_t length)
{
    struct print *print = names->hprof->print;
    size_t known = names->strings.count;
    uint32_t number = 0;
    if (print->status == STATUS_OK)
        print->status = symbols_add(&names->strings, text, length, &number, print->why);
    if (print->status == STATUS_OK && number == known)
        hprof_string(names->hprof, (uint64_t)number + 1, text, length);
    return (uint64_t)number + 1;
}

uint64_t dump_names_put_class(struct dump_names *names, const char *name, bool is_array)
{
    size_t length = strlen(name), dimensions = 0;
    while (length > 2 && memcmp(name + length - 2, "[]", 2) == 0) {
        length -= 2;
        dimensions++;
    }
    dimensions += dimensions == 0 && is_array;
    const struct java_primitive *primitive =
        dimensions > 0 ? java_primitive_named(name, length) : NULL;
    char *text = malloc(dimensions + length + 3), *end = text;
    if (!text) {
        hprof_no_memory(names->hprof);
        return 0;
    }
    memset(end, '[', dimensions);
    end += dimensions;
    if (primitive) {
        *end++ = primitive->letter;
    } else {
        if (dimensions > 0)
            *end++ = 'L';
        for (size_t i = 0; i < length; i++)
            *end++ = name[i] == '.' ? '/' : name[i];
        if (dimensions > 0)
            *end++ = ';';
    }
    uint64_t string = dump_names_put(names, text, (size_t)(end - text));
    free(text);
    return string;
}

uint64_t dump_names_put_number(struct dump_names *names, const char *what, uint64_t id)
{
    char text[NUMBER_NAME_SIZE];
    int length = snprintf(text, sizeof text, "%s#%" PRIu64, what, id);
    return dump_names_put(names, text, (size_t)length);
}

/* Puts a part of a name in a list, and returns the id of the string. The lines of a method
 * share it, so a long one is not compared with all strings for each of them. */
static uint64_t put_part(struct dump_names *names, struct map *strings, const char *text,
                         size_t length)
{
    uint64_t *entry = map_insert(strings, (uintptr_t)text);
    if (!entry) {
        hprof_no_memory(names->hprof);
        return 0;
    }
    if (*entry == 0)
        *entry = dump_names_put(names, text, length);
    return *entry;
}

void dump_names_put_member(struct dump_names *names, const struct member_name *name,
                           uint64_t *own, uint64_t *signature)
{
    *own = put_part(names, &names->own_names, name->own, name->own_length);
    *signature = put_part(names, &names->signatures, name->signature, name->signature_length);
}

/* Adds a string to the names of the fields of the present class, unless one of them has it:
 * `used` has these. False: one has it. */
static bool add_field_name(struct dump_names *names, struct map *used, const char *text)
{
    uint64_t string = dump_names_put(names, text, strlen(text));
    uint64_t *entry = map_insert(used, string);
    if (!entry ||
        !ARRAY_RESERVE(names->fields, names->field_capacity, names->field_count + 1)) {
        hprof_no_memory(names->hprof);
        return true;
    }
    bool is_new = *entry == 0;
    *entry = 1;
    if (is_new)
        names->fields[names->field_count++] = string;
    return is_new || names->hprof->print->status != STATUS_OK;
}

/* Returns `name` with ` (MORE)` after it, which the caller owns (free); NULL: no memory. */
static char *longer_name(struct dump_names *names, const char *name, const char *more,
                         size_t more_length)
{
    char *text;
    if (asprintf(&text, "%s (%.*s)", name, (int)more_length, more) >= 0)
        return text;
    hprof_no_memory(names->hprof);
    return NULL;
}

/* The last part of the name of a class, which ends before `end`. */
static const char *simple_name(const char *name, const char *end)
{
    const char *at = end;
    while (at > name && at[-1] != '/' && at[-1] != '.')
        at--;
    return at;
}

/* Adds `name` with the number of the field after it, as often as it takes to make it new. */
static void add_numbered_name(struct dump_names *names, struct map *used, const char *name,
                              uint64_t number)
{
    char digits[NUMBER_DIGITS];
    size_t length = number_format(digits, number);
    char *longer = longer_name(names, name, digits, length);
    while (longer && !add_field_name(names, used, longer)) {
        char *shorter = longer;
        longer = longer_name(names, shorter, digits, length);
        free(shorter);
    }
    free(longer);
}

/* Adds `name` with the last part of the name of the field's class after it. False: that is
 * used, or the part is so long that a dump would grow with how often it is repeated. */
static bool add_name_with_class(struct dump_names *names, struct map *used, const char *name,
                                const struct member_name *field)
{
    const char *end = field->owner + field->owner_length;
    const char *simple = simple_name(field->owner, end);
    if ((size_t)(end - simple) > NAMES_SHOWN)
        return false;
    char *text = longer_name(names, name, simple, (size_t)(end - simple));
    bool is_added = !text || add_field_name(names, used, text);
    free(text);
    return is_added;
}

/* Adds the name of a field. No two fields of a class have the same name: a second one, as of a
 * superclass, has the name of its class after it, or else its number. */
static void add_name_of(struct dump_names *names, struct map *used, uint64_t field)
{
    struct member_name name = heap_member_name(names->names, NAMES_FIELD, field);
    char unnamed[NUMBER_NAME_SIZE];
    snprintf(unnamed, sizeof unnamed, "field#%" PRIu64, field);
    const char *own = name.own ? name.own : unnamed;
    if (add_field_name(names, used, own))
        return;
    if (!name.own || !name.owner || !add_name_with_class(names, used, own, &name))
        add_numbered_name(names, used, own, field);
}

/* Adds the names of `count` fields that only fill objects. */
static void add_filler_names(struct dump_names *names, struct map *used, uint64_t count)
{
    char text[NUMBER_NAME_SIZE];
    for (uint64_t number = 1; count > 0; number++) {
        snprintf(text, sizeof text, "(filler %" PRIu64 ")", number);
        count -= add_field_name(names, used, text);
    }
}

void dump_names_add_fields(struct dump_names *names, const struct heap_class *class_of)
{
    struct map used = {.root = NULL};
    uint64_t field = 0;
    if (class_has_expected_field(class_of))
        add_field_name(names, &used, class_of->expected_field);
    for (uint64_t *entry = map_first(&class_of->fields, &field); entry;
         entry = map_next(&class_of->fields, &field))
        add_name_of(names, &used, field);
    add_filler_names(names, &used, class_filler_count(class_of));
    for (size_t i = 0; i < class_offset_count(class_of); i++)
        add_field_name(names, &used, offset_names[i]);
    for (size_t i = 0; i < class_static_count(class_of); i++)
        add_name_of(names, &used, class_of->statics[i].field);
    map_free(&used);
}

void dump_names_free(struct dump_names *names)
{
    symbols_free(&names->strings);
    map_free(&names->own_names);
    map_free(&names->signatures);
    free(names->fields);
    *names = (struct dump_names){.hprof = NULL};
}
