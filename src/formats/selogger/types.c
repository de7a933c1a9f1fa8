/* Types are numbered as in LOG$Types; names that only dataids.txt tells get numbers behind
 * them. */
#include "formats/selogger/types.h"

#include "base/memory.h"
#include "formats/selogger/csv.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEADER_BYTES = 16,   /* of an array, its length included */
    STRING_BYTES = 24,   /* of a string, without its characters */
    REFERENCE_BYTES = 4, /* compressed, as they are in all but very large heaps */
    ALIGNMENT = 8,
};

/* The bytes of an element of an array whose type has this name; 0: no array. */
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

static enum status add_type(struct types *types, uint32_t name, uint32_t parent,
                            struct failure *why)
{
    size_t length;
    const char *text = symbols_text(types->symbols, name, &length);
    const uint64_t *size = map_find(&types->sizes, name);
    struct type *items =
        array_grow(types->items, &types->capacity, types->count + 1, sizeof *items);
    if (!items)
        return fail_memory(why);
    types->items = items;
    uint64_t *number = map_insert(&types->named, name);
    if (!number)
        return fail_memory(why);
    if (*number == 0)
        *number = types->count + 1;
    items[types->count++] =
        (struct type){name, parent, element_bytes(text, length), size ? *size : 0};
    return STATUS_OK;
}

enum status types_of_name(struct types *types, uint32_t name, uint32_t *type,
                          struct failure *why)
{
    const uint64_t *number = map_find(&types->named, name);
    *type = (uint32_t)(number ? *number - 1 : types->count);
    return number ? STATUS_OK : add_type(types, name, NO_TYPE, why);
}

/* The superclass of a line of LOG$Types, which has it third from behind or, in older files,
 * second, or not at all. */
static uint32_t read_parent(struct piece rest, size_t count)
{
    struct piece last, second, third;
    int64_t parent = -1, component;
    if (!split_last(&rest, &last) || !split_last(&rest, &second))
        return NO_TYPE;
    bool is_third = split_last(&rest, &third) && piece_number(third, -1, INT32_MAX, &parent) &&
                    piece_number(second, -1, INT32_MAX, &component);
    if (!is_third && !piece_number(second, -1, INT32_MAX, &parent))
        return NO_TYPE;
    /* A superclass is numbered before its classes: so no chain can have a ring. */
    return parent >= 0 && (uint64_t)parent < count ? (uint32_t)parent : NO_TYPE;
}

/* TYPE,NAME[,LOCATION,SUPERCLASS,COMPONENT[,LOADER]] */
static enum status load_type(void *context, const struct loading *loading,
                             const struct lines *lines, const struct line *line,
                             struct failure *why)
{
    struct types *types = context;
    struct piece pieces[3];
    int64_t number;
    uint32_t name;
    size_t count = split_line(line, pieces, 3);
    if (count < 2 || !piece_number(pieces[0], 0, INT32_MAX, &number))
        return reject_line(why, lines, line, "This line does not begin with TYPE,NAME");
    if ((uint64_t)number != types->count)
        return reject_line(why, lines, line, "The types are not numbered in order");
    enum status status = add_type_name(types->symbols, pieces[1], &name, why);
    if (status == STATUS_OK)
        status = add_type(types, name,
                          count < 3 ? NO_TYPE : read_parent(pieces[2], types->count), why);
    return status == STATUS_OK && number > 0
               ? add_name_of_parts(loading, NAMES_TYPE, (uint64_t)number, &pieces[1], 1, why)
               : status;
}

/* OBJECT,TYPE */
static enum status load_object(void *context, const struct loading *loading,
                               const struct lines *lines, const struct line *line,
                               struct failure *why)
{
    (void)loading;
    struct types *types = context;
    struct piece pieces[2];
    int64_t object, type;
    if (split_line(line, pieces, 2) < 2 || !piece_number(pieces[0], 1, INT64_MAX, &object) ||
        !piece_number(pieces[1], 0, INT32_MAX, &type))
        return reject_line(why, lines, line, "This line is not OBJECT,TYPE");
    if ((uint64_t)object != types->object_count + 1)
        return reject_line(why, lines, line, "The objects are not numbered in order");
    uint32_t *of_object = array_grow(types->of_object, &types->object_capacity,
                                     types->object_count + 1, sizeof *of_object);
    if (!of_object)
        return fail_memory(why);
    types->of_object = of_object;
    of_object[types->object_count++] = (uint64_t)type < types->count ? (uint32_t)type : NO_TYPE;
    return STATUS_OK;
}

/* NAME,BYTES in the user's table. */
static enum status load_size(void *context, const struct loading *loading,
                             const struct lines *lines, const struct line *line,
                             struct failure *why)
{
    (void)loading;
    struct types *types = context;
    struct piece name = {line->text, line->length}, bytes;
    int64_t size;
    uint32_t symbol;
    if (line->length == 0 || line->text[0] == '#')
        return STATUS_OK;
    if (!split_last(&name, &bytes) || name.length == 0 ||
        !piece_number(bytes, 0, INT64_MAX, &size))
        return reject_line(why, lines, line, "A line of a table of sizes is CLASS,BYTES");
    enum status status = add_type_name(types->symbols, name, &symbol, why);
    if (status != STATUS_OK)
        return status;
    uint64_t *value = map_insert(&types->sizes, symbol);
    if (!value)
        return fail_memory(why);
    *value = (uint64_t)size;
    return STATUS_OK;
}

/* Whether a string fits one byte a character: no character of the JSON text is above 255. */
static bool is_latin1(struct piece json)
{
    for (size_t i = 0; i < json.length; i++) {
        uint8_t byte = (uint8_t)json.text[i];
        if (byte >= 0xc4)
            return false;
        if (byte != '\\' || ++i == json.length || json.text[i] != 'u')
            continue;
        if (json.length - i < 5 || memcmp(json.text + i + 1, "00", 2) != 0)
            return false;
        i += 4;
    }
    return true;
}

static uint64_t array_bytes(uint64_t length, uint64_t element)
{
    uint64_t bytes = 0;
    if (__builtin_mul_overflow(length, element, &bytes) ||
        __builtin_add_overflow(bytes, (uint64_t)HEADER_BYTES + ALIGNMENT - 1, &bytes))
        return 0;
    return bytes / ALIGNMENT * ALIGNMENT;
}

/* OBJECT,LENGTH,"TEXT" */
static enum status load_string(void *context, const struct loading *loading,
                               const struct lines *lines, const struct line *line,
                               struct failure *why)
{
    (void)loading;
    struct types *types = context;
    struct piece pieces[3];
    int64_t object, length;
    if (split_line(line, pieces, 3) < 3 || !piece_number(pieces[0], 1, INT64_MAX, &object) ||
        !piece_number(pieces[1], 0, INT32_MAX, &length))
        return reject_line(why, lines, line, "This line is not OBJECT,LENGTH,\"TEXT\"");
    uint64_t *bytes = map_insert(&types->characters, (uint64_t)object);
    if (!bytes)
        return fail_memory(why);
    *bytes = array_bytes((uint64_t)length, is_latin1(pieces[2]) ? 1 : 2);
    return STATUS_OK;
}

/* Tells of a side file without which objects have no types or superclasses. */
static enum status note_missing(const struct loading *loading, const char *name,
                                struct failure *why)
{
    return remark_list_add(
        loading->notes, why,
        "There is no %s beside it: types of objects are known only where their "
        "allocation tells them",
        name);
}

static enum status load_files(struct types *types, const struct loading *loading,
                              struct failure *why)
{
    enum status status = STATUS_OK;
    bool has_types, has_objects, has_strings;
    if (loading->type_sizes)
        status = load_lines(loading, loading->type_sizes, load_size, types, why);
    if (status == STATUS_OK)
        status = load_beside(loading, "LOG$Types.txt", load_type, types, &has_types, why);
    if (status == STATUS_OK && !has_types)
        return note_missing(loading, "LOG$Types.txt", why);
    if (status == STATUS_OK)
        status =
            load_numbered(loading, "LOG$ObjectTypes", load_object, types, &has_objects, why);
    if (status == STATUS_OK && !has_objects)
        status = note_missing(loading, "LOG$ObjectTypes00001.txt", why);
    if (status == STATUS_OK)
        status = load_numbered(loading, "LOG$String", load_string, types, &has_strings, why);
    return status;
}

static enum status add_names(struct types *types, struct failure *why)
{
    const struct {
        const char *name;
        uint32_t *symbol;
    } names[] = {{"java.lang.String", &types->string},
                 {"java.lang.Thread", &types->thread},
                 {"java.lang.ArrayStoreException", &types->bad_store},
                 {"java.lang.IndexOutOfBoundsException", &types->bad_index}};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sizeof names / sizeof *names && status == STATUS_OK; i++)
        status = symbols_add(types->symbols, names[i].name, strlen(names[i].name),
                             names[i].symbol, why);
    return status;
}

/* No object is of type 0, void: it stands for types that are not known. */
static enum status add_unknown(struct types *types, const struct loading *loading,
                               struct failure *why)
{
    static const char none[] = "void";
    static const struct piece unknown = {"(unknown)", sizeof "(unknown)" - 1};
    uint32_t name;
    enum status status = symbols_add(types->symbols, none, strlen(none), &name, why);
    if (status == STATUS_OK && types->count == 0)
        status = add_type(types, name, NO_TYPE, why);
    return status == STATUS_OK ? add_name_of_parts(loading, NAMES_TYPE, 0, &unknown, 1, why)
                               : status;
}

enum status types_load(struct types *types, const struct loading *loading, struct failure *why)
{
    enum status status = add_names(types, why);
    if (status == STATUS_OK)
        status = load_files(types, loading, why);
    return status == STATUS_OK ? add_unknown(types, loading, why) : status;
}

bool types_is_a(const struct types *types, uint32_t type, uint32_t name)
{
    for (; type != NO_TYPE; type = types->items[type].parent)
        if (types->items[type].name == name)
            return true;
    return false;
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

void types_free(struct types *types)
{
    free(types->items);
    free(types->of_object);
    map_free(&types->named);
    map_free(&types->sizes);
    map_free(&types->characters);
}
