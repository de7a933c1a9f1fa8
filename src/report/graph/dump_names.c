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

enum status dump_names_put_class(struct dump_names *names, const char *name, bool is_array,
                                 uint64_t *string)
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
    if (!text)
        return fail_memory(names->hprof->print->why);
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
    *string = dump_names_put(names, text, (size_t)(end - text));
    free(text);
    return names->hprof->print->status;
}

uint64_t dump_names_put_number(struct dump_names *names, const char *what, uint64_t id)
{
    char text[NUMBER_NAME_SIZE];
    int length = snprintf(text, sizeof text, "%s#%" PRIu64, what, id);
    return dump_names_put(names, text, (size_t)length);
}

/* Puts a part of a name in a list. The lines of a method share it, so a long one is not
 * compared with all strings for each of them. Sets *string to its id. */
static enum status put_part(struct dump_names *names, struct map *strings, const char *text,
                            size_t length, uint64_t *string, struct failure *why)
{
    uint64_t *entry = map_insert(strings, (uintptr_t)text);
    if (!entry)
        return fail_memory(why);
    if (*entry == 0)
        *entry = dump_names_put(names, text, length);
    *string = *entry;
    return STATUS_OK;
}

enum status dump_names_put_member(struct dump_names *names, const struct member_name *name,
                                  uint64_t *own, uint64_t *signature, struct failure *why)
{
    TRY(put_part(names, &names->own_names, name->own, name->own_length, own, why));
    return put_part(names, &names->signatures, name->signature, name->signature_length,
                    signature, why);
}

/* Adds a string to the names of the fields of the present class, unless one of them has it:
 * `used` has these. *is_new shows. */
static enum status add_field_name(struct dump_names *names, struct map *used, const char *text,
                                  size_t length, bool *is_new, struct failure *why)
{
    uint64_t string = dump_names_put(names, text, length);
    uint64_t *entry = map_insert(used, string);
    if (!entry || !ARRAY_RESERVE(names->fields, names->field_capacity, names->field_count + 1))
        return fail_memory(why);
    *is_new = *entry == 0;
    *entry = 1;
    if (*is_new)
        names->fields[names->field_count++] = string;
    return names->hprof->print->status;
}

/* Returns `name` with ` (MORE)` behind it, which the caller owns (free); NULL: no memory. */
static char *longer_name(const char *name, const char *more, size_t more_length)
{
    size_t length = strlen(name);
    char *text = malloc(length + more_length + sizeof " ()");
    if (!text)
        return NULL;
    memcpy(text, name, length);
    memcpy(text + length, " (", 2);
    memcpy(text + length + 2, more, more_length);
    memcpy(text + length + 2 + more_length, ")", 2);
    return text;
}

/* The last part of the name of a class, which ends before `end`. */
static const char *simple_name(const char *name, const char *end)
{
    const char *at = end;
    while (at > name && at[-1] != '/' && at[-1] != '.')
        at--;
    return at;
}

/* Adds `name` with the number of the field behind it, as often as it takes to make it new. */
static enum status add_numbered_name(struct dump_names *names, struct map *used,
                                     const char *name, uint64_t number, struct failure *why)
{
    char digits[NUMBER_DIGITS];
    const char *shorter = name;
    size_t length = number_format(digits, number);
    char *longer = NULL;
    bool is_new = false;
    enum status status = STATUS_OK;
    while (!is_new && status == STATUS_OK) {
        char *text = longer_name(shorter, digits, length);
        free(longer);
        longer = text;
        shorter = text;
        status = text ? add_field_name(names, used, text, strlen(text), &is_new, why)
                      : fail_memory(why);
    }
    free(longer);
    return status;
}

/* Adds `name` with the last part of the name of the field's class behind it, unless it is used,
 * or the part is so long that a dump would grow with how often it is repeated. */
static enum status add_name_with_class(struct dump_names *names, struct map *used,
                                       const char *name, const struct member_name *field,
                                       bool *is_new, struct failure *why)
{
    const char *end = field->owner + field->owner_length;
    const char *simple = simple_name(field->owner, end);
    if ((size_t)(end - simple) > NAMES_SHOWN)
        return STATUS_OK;
    char *text = longer_name(name, simple, (size_t)(end - simple));
    enum status status =
        text ? add_field_name(names, used, text, strlen(text), is_new, why) : fail_memory(why);
    free(text);
    return status;
}

/* Adds the name of a field. No two fields of a class have the same name: a second one, as of a
 * superclass, has the name of its class behind it, or else its number. */
static enum status add_name_of(struct dump_names *names, struct map *used, uint64_t field,
                               struct failure *why)
{
    struct member_name name = heap_member_name(names->names, NAMES_FIELD, field);
    char unnamed[NUMBER_NAME_SIZE];
    snprintf(unnamed, sizeof unnamed, "field#%" PRIu64, field);
    const char *own = name.own ? name.own : unnamed;
    bool is_new = false;
    enum status status = add_field_name(names, used, own, strlen(own), &is_new, why);
    if (name.own && name.owner && !is_new && status == STATUS_OK)
        status = add_name_with_class(names, used, own, &name, &is_new, why);
    if (is_new || status != STATUS_OK)
        return status;
    return add_numbered_name(names, used, own, field, why);
}

/* Adds the names of `count` fields that only fill objects. */
static enum status add_filler_names(struct dump_names *names, struct map *used, uint64_t count,
                                    struct failure *why)
{
    char text[NUMBER_NAME_SIZE];
    enum status status = STATUS_OK;
    for (uint64_t number = 1; count > 0 && status == STATUS_OK; number++) {
        bool is_new = false;
        int length = snprintf(text, sizeof text, "(filler %" PRIu64 ")", number);
        status = add_field_name(names, used, text, (size_t)length, &is_new, why);
        count -= is_new;
    }
    return status;
}

enum status dump_names_add_fields(struct dump_names *names, const struct heap_class *class_of,
                                  struct failure *why)
{
    struct map used = {.root = NULL};
    uint64_t field = 0;
    bool is_new = false;
    enum status status = STATUS_OK;
    if (class_has_expected_field(class_of))
        status = add_field_name(names, &used, class_of->expected_field,
                                strlen(class_of->expected_field), &is_new, why);
    for (uint64_t *entry = map_first(&class_of->fields, &field); entry && status == STATUS_OK;
         entry = map_next(&class_of->fields, &field))
        status = add_name_of(names, &used, field, why);
    if (status == STATUS_OK)
        status = add_filler_names(names, &used, class_filler_count(class_of), why);
    for (size_t i = 0; i < class_offset_count(class_of) && status == STATUS_OK; i++)
        status = add_field_name(names, &used, offset_names[i], strlen(offset_names[i]), &is_new,
                                why);
    for (size_t i = 0; i < class_static_count(class_of) && status == STATUS_OK; i++)
        status = add_name_of(names, &used, class_of->statics[i].field, why);
    map_free(&used);
    return status;
}

void dump_names_free(struct dump_names *names)
{
    symbols_free(&names->strings);
    map_free(&names->own_names);
    map_free(&names->signatures);
    free(names->fields);
    *names = (struct dump_names){.hprof = NULL};
}
