/* SPDX-License-Identifier: MIT */
/* Types are numbered as in LOG$Types; names that only dataids.txt has get the numbers after
 * these. */
#include "formats/selogger/catalogue.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEADER_BYTES = 16,   /* of an array, its length included */
    STRING_BYTES = 24,   /* of a string, without the array of its characters */
    REFERENCE_BYTES = 4, /* compressed, as in all but very large heaps */
    ALIGNMENT = 8,
};

/* The bytes of an element of an array type with this name; 0: it is no array type. */
static uint32_t element_bytes(const char *name, size_t length)
{
    static const struct {
        const char *name;
        uint32_t bytes;
    } primitives[] = {{"boolean", 1}, {"byte", 1},  {"char", 2}, {"short", 2},
                      {"int", 4},     {"float", 4}, {"long", 8}, {"double", 8}};
    if (length < 2 || memcmp(name + length - 2, "[]", 2) != 0)
        return 0;
    struct piece element = {name, length - 2};
    for (size_t i = 0; i < sizeof primitives / sizeof *primitives; i++)
        if (piece_is(element, primitives[i].name))
            return primitives[i].bytes;
    return REFERENCE_BYTES;
}

/* The kinds of a type, which inherits those of its superclass. Superclasses are added before
 * their classes, so that takes no walk. */
static uint32_t kinds_of(const struct types *types, uint32_t name, uint32_t parent)
{
    uint32_t kinds = parent == NO_TYPE ? 0 : types->items[parent].kinds;
    if (name == types->thread)
        kinds |= TYPE_THREAD;
    if (name == types->bad_store)
        kinds |= TYPE_BAD_STORE;
    if (name == types->bad_index)
        kinds |= TYPE_BAD_INDEX;
    return kinds;
}

static enum status add_type(struct catalogue *catalogue, uint32_t name, uint32_t parent,
                            struct failure *why)
{
    struct types *types = &catalogue->types;
    size_t length;
    const char *text = symbols_text(&catalogue->symbols, name, &length);
    const uint64_t *size = map_find(&types->sizes, name);
    if (!ARRAY_RESERVE(types->items, types->capacity, types->count + 1))
        return fail_memory(why);
    uint64_t *number = map_insert(&types->named, name);
    if (!number)
        return fail_memory(why);
    if (*number == 0)
        *number = types->count + 1;
    types->items[types->count++] = (struct type){.name = name,
                                                 .parent = parent,
                                                 .element = element_bytes(text, length),
                                                 .kinds = kinds_of(types, name, parent),
                                                 .size = size ? *size : 0};
    return STATUS_OK;
}

enum status types_of_name(struct catalogue *catalogue, uint32_t name, uint32_t *type,
                          struct failure *why)
{
    const uint64_t *number = map_find(&catalogue->types.named, name);
    *type = (uint32_t)(number ? *number - 1 : catalogue->types.count);
    return number ? STATUS_OK : add_type(catalogue, name, NO_TYPE, why);
}

/* Loads a line of LOG$Types. In very old files no line has a superclass, else all have. */
static enum status load_type(struct catalogue *catalogue, struct lines *lines,
                             struct line *line, struct failure *why)
{
    struct types *types = &catalogue->types;
    struct type_row row;
    int64_t number;
    uint32_t name;
    if (!type_row_split(line, &row) || !piece_number(row.id, 0, INT32_MAX, &number))
        return lines_reject(lines, line, STATUS_SYNTAX,
                            "This line is not TYPE,NAME[,LOCATION,SUPERCLASS,COMPONENT]", why);
    if ((uint64_t)number != types->count)
        return lines_reject(lines, line, STATUS_SYNTAX, "The types are not numbered in order",
                            why);
    if (number == 0)
        types->have_parents = row.has_parent;
    if (row.has_parent != types->have_parents)
        return lines_reject(lines, line, STATUS_SYNTAX,
                            "This line has not the columns of the first one", why);
    /* A superclass has a lower number than its classes, so no chain can be a cycle. */
    bool is_known = row.parent >= 0 && row.parent < number;
    TRY(add_type_name(&catalogue->symbols, row.name, &name, why));
    TRY(add_type(catalogue, name, is_known ? (uint32_t)row.parent : NO_TYPE, why));
    return number > 0 ? loading_add_name(&catalogue->loading, NAMES_TYPE, (uint64_t)number,
                                         row.name, why)
                      : STATUS_OK;
}

static enum status append_object(struct types *types, uint32_t type, struct failure *why)
{
    if (!ARRAY_RESERVE(types->of_object, types->object_capacity, types->object_count + 1))
        return fail_memory(why);
    types->of_object[types->object_count++] = type;
    return STATUS_OK;
}

/* Adds the type of an object whose line is out of order. */
static enum status put_stray(struct types *types, uint64_t object, uint32_t type,
                             struct failure *why)
{
    uint64_t *value = map_insert(&types->strays, object);
    if (!value)
        return fail_memory(why);
    types->stray_count += *value == 0;
    *value = (uint64_t)type + 1;
    return STATUS_OK;
}

/* Loads a line OBJECT,TYPE. In older versions threads write their lines in any order, and into
 * each other. */
static enum status load_object(struct catalogue *catalogue, struct lines *lines,
                               struct line *line, struct failure *why)
{
    (void)lines;
    struct types *types = &catalogue->types;
    struct piece pieces[2];
    int64_t object, number;
    if (split_line(line, pieces, 2) < 2 || !piece_number(pieces[0], 1, INT64_MAX, &object) ||
        !piece_number(pieces[1], 0, INT32_MAX, &number)) {
        types->bad_objects++;
        return STATUS_OK;
    }
    uint32_t type = (uint64_t)number < types->count ? (uint32_t)number : NO_TYPE;
    if ((uint64_t)object <= types->object_count)
        return STATUS_OK; /* it has a type already */
    return (uint64_t)object == types->object_count + 1
               ? append_object(types, type, why)
               : put_stray(types, (uint64_t)object, type, why);
}

static enum status note_bad_objects(const struct types *types, const struct loading *loading,
                                    struct failure *why)
{
    if (types->bad_objects == 0)
        return STATUS_OK;
    if (types->bad_objects == 1)
        return remark_list_add(loading->remarks, why,
                               "1 line of LOG$ObjectTypes is not OBJECT,TYPE and is skipped: "
                               "the type of an object is unknown");
    return remark_list_add(loading->remarks, why,
                           "%" PRIu64 " lines of LOG$ObjectTypes are not OBJECT,TYPE and are "
                           "skipped: the types of as many objects are unknown",
                           types->bad_objects);
}

/* Loads a line NAME,BYTES of the user's table. */
static enum status load_size(struct catalogue *catalogue, struct lines *lines,
                             struct line *line, struct failure *why)
{
    struct types *types = &catalogue->types;
    struct piece name = {line->text, line->length}, bytes;
    int64_t size;
    uint32_t symbol;
    if (line->length == 0 || line->text[0] == '#')
        return STATUS_OK;
    if (!split_last(&name, &bytes) || name.length == 0 ||
        !piece_number(bytes, 0, INT64_MAX, &size))
        return lines_reject(lines, line, STATUS_SYNTAX,
                            "A line of a table of sizes must be CLASS,BYTES", why);
    TRY(add_type_name(&catalogue->symbols, name, &symbol, why));
    uint64_t *value = map_insert(&types->sizes, symbol);
    if (!value)
        return fail_memory(why);
    *value = (uint64_t)size;
    return STATUS_OK;
}

/* A scan of JSON text, which may come in parts: whether each of its characters fits one byte,
 * which is so if none is above 255. */
struct json_scan {
    bool is_wide; /* a character is above 255 */
    enum { SCAN_PLAIN, SCAN_ESCAPE, SCAN_HEX, SCAN_LAST_HEX = SCAN_HEX + 3 } state;
};

static void scan_byte(struct json_scan *scan, uint8_t byte)
{
    switch (scan->state) {
    case SCAN_PLAIN:
        scan->is_wide |= byte >= 0xc4;
        scan->state = byte == '\\' ? SCAN_ESCAPE : SCAN_PLAIN;
        return;
    case SCAN_ESCAPE:
        scan->state = byte == 'u' ? SCAN_HEX : SCAN_PLAIN;
        return;
    default: /* the first two of four digits show whether it is above 255 */
        scan->is_wide |= scan->state < SCAN_HEX + 2 && byte != '0';
        scan->state = scan->state == SCAN_LAST_HEX ? SCAN_PLAIN : scan->state + 1;
    }
}

static void scan_text(struct json_scan *scan, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        scan_byte(scan, (uint8_t)text[i]);
}

/* Scans the text and the rest of its line. Sets *is_latin1 to whether all characters fit one
 * byte. */
static enum status scan_string(struct lines *lines, struct line *line, struct piece text,
                               bool *is_latin1, struct failure *why)
{
    struct json_scan scan = {.state = SCAN_PLAIN};
    scan_text(&scan, text.text, text.length);
    while (line->is_cut) {
        TRY(lines_go_on(lines, line, why));
        scan_text(&scan, line->text, line->length);
    }
    *is_latin1 = !scan.is_wide && scan.state < SCAN_HEX;
    return STATUS_OK;
}

static uint64_t array_bytes(uint64_t length, uint64_t element)
{
    uint64_t bytes = 0;
    if (__builtin_mul_overflow(length, element, &bytes) ||
        __builtin_add_overflow(bytes, (uint64_t)HEADER_BYTES + ALIGNMENT - 1, &bytes))
        return 0;
    return bytes / ALIGNMENT * ALIGNMENT;
}

/* Loads a line OBJECT,LENGTH,"TEXT". */
static enum status load_string(struct catalogue *catalogue, struct lines *lines,
                               struct line *line, struct failure *why)
{
    struct types *types = &catalogue->types;
    struct piece pieces[3];
    int64_t object, length;
    if (split_line(line, pieces, 3) < 3 || !piece_number(pieces[0], 1, INT64_MAX, &object) ||
        !piece_number(pieces[1], 0, INT32_MAX, &length))
        return lines_reject(lines, line, STATUS_SYNTAX,
                            "This line is not OBJECT,LENGTH,\"TEXT\"", why);
    bool is_latin1;
    TRY(scan_string(lines, line, pieces[2], &is_latin1, why));
    if (!line->has_end)
        return STATUS_OK;
    uint64_t *bytes = map_insert(&types->characters, (uint64_t)object);
    if (!bytes)
        return fail_memory(why);
    *bytes = array_bytes((uint64_t)length, is_latin1 ? 1 : 2);
    return STATUS_OK;
}

/* Adds the remark that a side file is missing without which objects have no types or
 * superclasses. */
static enum status note_missing(const struct loading *loading, const char *name,
                                struct failure *why)
{
    return remark_list_add(
        loading->remarks, why,
        "There is no %s next to it: only objects whose allocation is logged have types", name);
}

static enum status load_files(struct catalogue *catalogue, struct failure *why)
{
    const struct loading *loading = &catalogue->loading;
    bool has_types, has_objects, has_strings;
    if (loading->type_sizes)
        TRY(load_lines(catalogue, loading->type_sizes, load_size, false, why));
    TRY(load_next_to(catalogue, "LOG$Types.txt", load_type, &has_types, why));
    if (!has_types)
        return note_missing(loading, "LOG$Types.txt", why);
    TRY(load_numbered(catalogue, "LOG$ObjectTypes", load_object, false, &has_objects, why));
    if (!has_objects)
        TRY(note_missing(loading, "LOG$ObjectTypes00001.txt", why));
    TRY(note_bad_objects(&catalogue->types, loading, why));
    return load_numbered(catalogue, "LOG$String", load_string, true, &has_strings, why);
}

enum status types_load(struct catalogue *catalogue, struct failure *why)
{
    struct types *types = &catalogue->types;
    const struct {
        const char *name;
        uint32_t *symbol;
    } names[] = {{"java.lang.String", &types->string},
                 {"java.lang.Thread", &types->thread},
                 {"java.lang.ArrayStoreException", &types->bad_store},
                 {"java.lang.IndexOutOfBoundsException", &types->bad_index}};
    static const struct piece none = {"void", 4}, unknown = {"(unknown)", 9};
    uint32_t name;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        TRY(symbols_add(&catalogue->symbols, names[i].name, strlen(names[i].name),
                        names[i].symbol, why));
    TRY(load_files(catalogue, why));
    /* Type 0, void, which no object has, is used for types that are not known. */
    TRY(symbols_add(&catalogue->symbols, none.text, none.length, &name, why));
    if (types->count == 0)
        TRY(add_type(catalogue, name, NO_TYPE, why));
    return loading_add_name(&catalogue->loading, NAMES_TYPE, 0, unknown, why);
}

uint64_t types_size(const struct types *types, uint64_t object, uint32_t type, uint64_t length)
{
    if (type == NO_TYPE)
        return 0;
    const struct type *item = &types->items[type];
    if (item->element > 0)
        return length == NO_LENGTH ? 0 : array_bytes(length, item->element);
    if (item->name != types->string)
        return item->size;
    const uint64_t *characters = map_find(&types->characters, object);
    uint64_t bytes = 0;
    if (!characters || __builtin_add_overflow(item->size ? item->size : (uint64_t)STRING_BYTES,
                                              *characters, &bytes))
        return item->size;
    return bytes;
}

uint32_t types_of_stray(const struct types *types, uint64_t object)
{
    const uint64_t *type = map_find(&types->strays, object);
    return type ? (uint32_t)(*type - 1) : NO_TYPE;
}

void types_free(struct types *types)
{
    map_free(&types->strays);
    free(types->items);
    free(types->of_object);
    map_free(&types->named);
    map_free(&types->sizes);
    map_free(&types->characters);
}

/* The messages of exceptions may contain line ends, so lines that do not begin as expected are
 * ignored. */

static enum status exceptions_add_object(struct exceptions *exceptions, uint64_t object,
                                         struct failure *why)
{
    if (!ARRAY_RESERVE(exceptions->objects, exceptions->capacity, exceptions->count + 1))
        return fail_memory(why);
    exceptions->objects[exceptions->count++] = object;
    return STATUS_OK;
}

/* Skips the rest of a line that is cut: a message may be long. */
static enum status pass_over(struct lines *lines, struct line *line, struct failure *why)
{
    while (line->is_cut)
        TRY(lines_go_on(lines, line, why));
    return STATUS_OK;
}

/* Loads a line EXCEPTION,CS,CAUSE[,SUPPRESSED]... */
static enum status load_cause(struct catalogue *catalogue, struct lines *lines,
                              struct line *line, struct failure *why)
{
    struct exceptions *exceptions = &catalogue->exceptions;
    struct piece pieces[3], last;
    int64_t exception, object;
    size_t first = exceptions->count;
    if (split_line(line, pieces, 3) < 3 || !piece_is(pieces[1], "CS") ||
        !piece_number(pieces[0], 1, INT64_MAX, &exception))
        return pass_over(lines, line, why);
    if (line->is_cut)
        return lines_refuse(lines, line, why);
    struct piece rest = pieces[2];
    for (bool more = true; more;) {
        more = split_last(&rest, &last);
        if (piece_number(more ? last : rest, 1, INT64_MAX, &object))
            TRY(exceptions_add_object(exceptions, (uint64_t)object, why));
    }
    if (exceptions->count == first)
        return STATUS_OK;
    uint64_t *index = map_insert(&exceptions->first, (uint64_t)exception);
    if (!index)
        return fail_memory(why);
    *index = first + 1;
    return exceptions_add_object(exceptions, 0, why);
}

enum status exceptions_load(struct catalogue *catalogue, struct failure *why)
{
    bool has_exceptions;
    return load_numbered(catalogue, "LOG$Exceptions", load_cause, true, &has_exceptions, why);
}

void exceptions_free(struct exceptions *exceptions)
{
    map_free(&exceptions->first);
    free(exceptions->objects);
}

const uint64_t *exceptions_held_by(const struct exceptions *exceptions, uint64_t object)
{
    const uint64_t *index = map_find(&exceptions->first, object);
    return index ? exceptions->objects + (*index - 1) : NULL;
}
