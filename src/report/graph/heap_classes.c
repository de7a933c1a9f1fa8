/* SPDX-License-Identifier: MIT */
/* A trace has no class files. Which fields a class has is known from stores into its objects,
 * and how large the rest of an object is from their sizes: it is filled with as many bytes as
 * fit into the largest fields that are left, of HPROF_FIELDS_MOST that a class may have. */
#include "report/graph/heap_classes.h"

#include "base/memory.h"
#include "base/number.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The name of a class that has none, and room for it. */
#define CLASS_OF_NUMBER "class#%" PRIu64
enum { CLASS_NAME_SIZE = 40 };

/* The class from which all inherit. */
#define ROOT_NAME "java.lang.Object"

/* The room for fields of all objects of a class is at most so many times their number and that
 * of their slots (make_sparse_arrays). */
enum { ROOM_MOST = 64 };

/* The most classes of one type, each for the objects of a size. */
enum { SIZES_MOST = 1000 };

/* Makes a class with the name `name`, which must be none of the symbols' own texts. */
static enum status add_class(struct heap_classes *classes, const char *name, bool is_array,
                             struct failure *why)
{
    uint32_t symbol;
    size_t known = classes->symbols.count;
    TRY(symbols_add(&classes->symbols, name, strlen(name), &symbol, why));
    if (!ARRAY_RESERVE(classes->items, classes->capacity, classes->count + 1) ||
        !ARRAY_RESERVE(classes->of_symbols, classes->of_symbol_capacity, (size_t)symbol + 1))
        return fail_memory(why);
    if (symbol == known)
        classes->of_symbols[symbol] = classes->count;
    classes->items[classes->count++] =
        (struct heap_class){.name = symbol, .is_array = is_array};
    return STATUS_OK;
}

enum status heap_classes_named(struct heap_classes *classes, const char *text, size_t length,
                               size_t *number, struct failure *why)
{
    char *copy = strndup(text, length);
    enum status status = copy ? java_name_make(&classes->name, copy, why) : fail_memory(why);
    free(copy);
    if (status != STATUS_OK)
        return status;
    const char *name = classes->name.text;
    uint32_t symbol = symbols_find(&classes->symbols, name, strlen(name));
    *number = symbol == NO_SYMBOL ? classes->count : classes->of_symbols[symbol];
    return symbol == NO_SYMBOL ? add_class(classes, name, false, why) : STATUS_OK;
}

static bool is_array_name(const char *name)
{
    size_t length = strlen(name);
    return length > 2 && strcmp(name + length - 2, "[]") == 0;
}

/* Sets *name to the name of a type; the caller owns it (free). */
static enum status make_type_name(struct heap_classes *classes, uint64_t type, char **name,
                                  struct failure *why)
{
    const char *found = names_find_parts(classes->names, NAMES_TYPE, type).own;
    *name = NULL;
    if (!found) {
        if (asprintf(name, CLASS_OF_NUMBER, type) < 0)
            *name = NULL;
        return *name ? STATUS_OK : fail_memory(why);
    }
    TRY(java_name_make(&classes->name, found, why));
    *name = strdup(classes->name.text);
    return *name ? STATUS_OK : fail_memory(why);
}

_Static_assert(HPROF_BOOLEAN == (int)JAVA_FIRST_CODE &&
                   HPROF_LONG == JAVA_FIRST_CODE + JAVA_PRIMITIVES - 1,
               "dumps have the codes of Java");

/* The type of the elements of an array with this name. */
static enum hprof_type primitive_of(const char *name)
{
    const struct java_primitive *primitive =
        is_array_name(name) ? java_primitive_named(name, strlen(name) - 2) : NULL;
    return primitive ? (enum hprof_type)primitive->code : HPROF_OBJECT;
}

static uint64_t type_key(const struct graph_object *object)
{
    bool is_array = object->flags & GRAPH_IS_ARRAY;
    return object->shape.type << 1 | is_array;
}

/* The type of an object that is allocated; NULL: it is not known yet. */
static struct heap_type *known_type(const struct heap_classes *classes,
                                    const struct graph_object *object)
{
    const uint64_t *entry = map_find(&classes->of_types, type_key(object));
    return entry && *entry > 0 ? &classes->types[*entry - 1] : NULL;
}

/* Adds the type of an object to the list. If its name is that of an array, the type is the same
 * for all of its objects. Not all of their records say that they are arrays: those of objects
 * older than the trace do not. */
static enum status add_type(struct heap_classes *classes, const struct graph_object *object,
                            struct failure *why)
{
    uint64_t key = type_key(object);
    uint64_t *entry = map_insert(&classes->of_types, key);
    if (!entry ||
        !ARRAY_RESERVE(classes->types, classes->type_capacity, classes->type_count + 1))
        return fail_memory(why);
    struct heap_type type = {.is_array = object->flags & GRAPH_IS_ARRAY};
    TRY(make_type_name(classes, object->shape.type, &type.name, why));
    bool is_named_so = is_array_name(type.name);
    const uint64_t *other = map_find(&classes->of_types, key ^ 1);
    if (is_named_so && other && *other > 0) {
        free(type.name);
        *entry = *other;
        return STATUS_OK;
    }
    type.is_array |= is_named_so;
    type.is_primitive = primitive_of(type.name) != HPROF_OBJECT;
    classes->types[classes->type_count++] = type;
    *entry = classes->type_count;
    return STATUS_OK;
}

/* Where a type has the class of an object; NULL: there is none yet. */
static uint64_t *class_entry(struct heap_type *type, const struct graph_object *object)
{
    if (type->is_array)
        return type->is_primitive && object->first != 0 ? &type->holders : &type->others;
    uint64_t *entry = map_find(&type->sizes, object->shape.size);
    if (entry)
        return entry;
    return type->size_count < SIZES_MOST ? NULL : &type->others;
}

/* Whether objects of java.lang.Object may have this size, as all have it in a dump. */
static bool is_size_of_root(uint64_t size)
{
    return size == 0 || (size > HPROF_ALIGNMENT && size <= 2 * HPROF_ALIGNMENT);
}

/* The name of the class of an object. */
static const char *class_name(const struct heap_type *type, const struct graph_object *object)
{
    if (type->is_primitive && object->first != 0)
        return CLASS_OBJECT "[]";
    bool is_root = strcmp(type->name, ROOT_NAME) == 0;
    return is_root && !is_size_of_root(object->shape.size) ? CLASS_OBJECT : type->name;
}

/* Sets *entry to the class of an object, plus 1: a new class, or one without objects that has
 * the name. Arrays of primitives have one class for all types of the name, since readers refuse
 * two; and there is only one java.lang.Object. */
static enum status add_class_of(struct heap_classes *classes, const struct heap_type *type,
                                const struct graph_object *object, uint64_t *entry,
                                struct failure *why)
{
    const char *name = class_name(type, object);
    uint32_t symbol = symbols_find(&classes->symbols, name, strlen(name));
    size_t known = symbol == NO_SYMBOL ? 0 : classes->of_symbols[symbol];
    bool may_share = classes->items[known].objects == 0 || known == 0 || type->is_primitive;
    if (symbol != NO_SYMBOL && may_share && classes->items[known].is_array == type->is_array) {
        *entry = known + 1;
        return STATUS_OK;
    }
    *entry = classes->count + 1;
    return add_class(classes, name, type->is_array, why);
}

/* Sets *number to the class of a present object. */
static enum status find_class(struct heap_classes *classes, const struct graph_object *object,
                              size_t *number, struct failure *why)
{
    if (!(object->flags & GRAPH_IS_ALLOCATED))
        return heap_classes_named(classes, CLASS_UNALLOCATED, strlen(CLASS_UNALLOCATED), number,
                                  why);
    struct heap_type *type = known_type(classes, object);
    if (!type)
        TRY(add_type(classes, object, why));
    type = known_type(classes, object);
    uint64_t *entry = class_entry(type, object);
    if (!entry) {
        entry = map_insert(&type->sizes, object->shape.size);
        type->size_count++;
    }
    if (!entry)
        return fail_memory(why);
    if (*entry == 0)
        TRY(add_class_of(classes, type, object, entry, why));
    *number = (size_t)*entry - 1;
    return STATUS_OK;
}

size_t heap_classes_of(const struct heap_classes *classes, const struct graph_object *object)
{
    if (object->flags & GRAPH_IS_ALLOCATED)
        return (size_t)*class_entry(known_type(classes, object), object) - 1;
    return classes->of_symbols[symbols_find(&classes->symbols, CLASS_UNALLOCATED,
                                            strlen(CLASS_UNALLOCATED))];
}

static enum status add_fields(struct heap_class *class_of, const struct heap_graph *graph,
                              const struct graph_object *object, struct failure *why)
{
    for (slot_t slot = object->first; slot != 0;) {
        uint64_t field;
        node_t target;
        slots_look(graph->slots, &slot, &field, &target);
        class_of->has_references = true;
        class_of->slots++;
        uint64_t *entry = class_of->is_array ? NULL : map_insert(&class_of->fields, field);
        if (!entry && !class_of->is_array)
            return fail_memory(why);
        if (entry && *entry == 0) {
            *entry = 1;
            class_of->field_count++;
        }
    }
    return STATUS_OK;
}

static enum status add_objects(struct heap_classes *classes, const struct heap_graph *graph,
                               struct failure *why)
{
    for (size_t i = 1; i < graph->count; i++) {
        size_t number = 0;
        if (!graph_is_present(graph, (node_t)i))
            continue;
        TRY(interrupt_check(classes->interrupt, why));
        const struct graph_object view = graph_object(graph, (node_t)i), *object = &view;
        TRY(find_class(classes, object, &number, why));
        struct heap_class *class_of = &classes->items[number];
        class_of->has_other_sizes |=
            class_of->objects > 0 && class_of->size != object->shape.size;
        if (object->shape.size > class_of->size)
            class_of->size = object->shape.size;
        class_of->objects++;
        TRY(add_fields(class_of, graph, object, why));
    }
    return STATUS_OK;
}

/* The bytes of the line at the end of a site's name, with its colon; 0: there is none. Sets
 * *line to the line. */
static size_t line_length(const char *name, size_t length, uint32_t *line)
{
    size_t digits = 0;
    uint64_t number;
    while (digits < length && name[length - digits - 1] >= '0' &&
           name[length - digits - 1] <= '9')
        digits++;
    bool is_line = digits > 0 && digits < length && name[length - digits - 1] == ':' &&
                   number_parse(name + length - digits, digits, &number) == NUMBER_OK &&
                   number <= INT32_MAX;
    if (is_line)
        *line = (uint32_t)number;
    return is_line ? digits + 1 : 0;
}

struct member_name heap_member_name(const struct names *names, enum name_space space,
                                    uint64_t id)
{
    const struct name_parts known = names_find_parts(names, space, id);
    struct member_name parts = {
        .owner = known.owner, .owner_length = known.owner_length, .own = known.own};
    if (!known.own)
        return parts;
    const char *hash = known.owner ? NULL : strchr(known.own, '#');
    if (hash) {
        parts.owner = known.own;
        parts.owner_length = (size_t)(hash - known.own);
        parts.own = hash + 1;
    }
    size_t length = strlen(parts.own);
    if (known.line > 0)
        parts.line = known.line <= INT32_MAX ? (uint32_t)known.line : 0;
    else if (space == NAMES_SITE)
        length -= line_length(parts.own, length, &parts.line);
    const char *signature = space == NAMES_FIELD ? NULL : memchr(parts.own, '(', length);
    parts.signature = signature ? signature : parts.own + length;
    parts.own_length = (size_t)(parts.signature - parts.own);
    parts.signature_length = length - parts.own_length;
    return parts;
}

/* Sets *number to the class whose name, or whose number, is the `length` bytes at `text`. */
static enum status find_owner(struct heap_classes *classes, const char *text, size_t length,
                              size_t *number, struct failure *why)
{
    uint64_t type;
    if (number_parse(text, length, &type) != NUMBER_OK)
        return heap_classes_named(classes, text, length, number, why);
    char name[CLASS_NAME_SIZE];
    int name_length = snprintf(name, sizeof name, CLASS_OF_NUMBER, type);
    return heap_classes_named(classes, name, (size_t)name_length, number, why);
}

/* The members of a class share its text in the list of names, so a long one is converted and
 * hashed once. A text begins the names of classes of one length only. */
enum status heap_classes_owner(struct heap_classes *classes, const struct member_name *name,
                               const char *other, size_t *number, struct failure *why)
{
    TRY(interrupt_check(classes->interrupt, why));
    if (!name->owner || name->owner_length == 0)
        return heap_classes_named(classes, other, strlen(other), number, why);
    uint64_t *entry = map_insert(&classes->owners, (uintptr_t)name->owner);
    if (!entry)
        return fail_memory(why);
    if (*entry == 0) {
        TRY(find_owner(classes, name->owner, name->owner_length, number, why));
        *entry = (uint64_t)*number + 1;
    }
    *number = (size_t)*entry - 1;
    return STATUS_OK;
}

static enum status add_static(struct heap_classes *classes, uint64_t field, node_t target,
                              struct failure *why)
{
    struct member_name name = heap_member_name(classes->names, NAMES_FIELD, field);
    size_t number = 0;
    TRY(heap_classes_owner(classes, &name, CLASS_STATIC, &number, why));
    struct heap_class *class_of = &classes->items[number];
    if (!ARRAY_RESERVE(class_of->statics, class_of->static_capacity,
                       class_of->static_count + 1))
        return fail_memory(why);
    class_of->statics[class_of->static_count++] = (struct heap_static){field, target};
    return STATUS_OK;
}

static enum status add_statics(struct heap_classes *classes, const struct heap_graph *graph,
                               struct failure *why)
{
    for (slot_t slot = graph->firsts[0]; slot != 0;) {
        uint64_t field;
        node_t target = graph_next(graph, &slot, &field);
        if (target != NODE_NONE)
            TRY(add_static(classes, field, target, why));
    }
    return STATUS_OK;
}

enum hprof_type heap_classes_element(const struct heap_classes *classes,
                                     const struct heap_class *class_of,
                                     const struct graph_object *object)
{
    static const enum hprof_type by_size[] = {HPROF_LONG, HPROF_INT, HPROF_CHAR};
    const char *name = heap_class_name(classes, class_of);
    if (class_of->has_references || is_array_name(name))
        return class_of->has_references ? HPROF_OBJECT : primitive_of(name);
    uint64_t header = HPROF_ARRAY_HEADER;
    for (size_t i = 0; i < sizeof by_size / sizeof *by_size; i++)
        if (object->shape.length > 0 && object->shape.size > header &&
            (object->shape.size - header) / hprof_size(by_size[i]) >= object->shape.length)
            return by_size[i];
    return HPROF_BYTE;
}

/* The classes of arrays of primitives. */
static enum status add_primitive_arrays(struct heap_classes *classes, struct failure *why)
{
    for (size_t i = 0; i < JAVA_PRIMITIVES; i++) {
        char name[CLASS_NAME_SIZE];
        snprintf(name, sizeof name, "%s[]", java_primitives[i].name);
        TRY(add_class(classes, name, true, why));
    }
    return STATUS_OK;
}

/* Readers expect these classes in each dump. Before VisualVM searches for paths from roots, it
 * looks up the classes of references, and the field of the last one. */
static enum status add_known(struct heap_classes *classes, struct failure *why)
{
    static const char *const references[] = {
        "java.lang.ref.WeakReference",  "java.lang.ref.SoftReference",
        "java.lang.ref.FinalReference", "java.lang.ref.PhantomReference",
        "java.lang.ref.Reference",
    };
    TRY(add_class(classes, ROOT_NAME, false, why));
    TRY(add_class(classes, "java.lang.Class", false, why));
    TRY(add_primitive_arrays(classes, why));
    TRY(add_class(classes, CLASS_OFFSETS, false, why));
    classes->items[classes->count - 1].has_offsets = true;
    for (size_t i = 0; i < sizeof references / sizeof *references; i++)
        TRY(add_class(classes, references[i], false, why));
    classes->items[classes->count - 1].expected_field = "referent";
    return STATUS_OK;
}

/* Gives all objects of class 0 the class `number` instead. */
static void move_root_objects(struct heap_classes *classes, size_t number)
{
    for (size_t i = 0; i < classes->type_count; i++) {
        struct map *sizes = &classes->types[i].sizes;
        uint64_t size = 0;
        for (uint64_t *entry = map_first(sizes, &size); entry; entry = map_next(sizes, &size))
            if (*entry == 1)
                *entry = number + 1;
        if (classes->types[i].others == 1)
            classes->types[i].others = number + 1;
    }
}

/* All classes inherit the fields of java.lang.Object, and VisualVM takes its bytes for those of
 * a header. So it gets none; if its objects hold references, they get a class of their own.
 */
static enum status empty_root(struct heap_classes *classes, struct failure *why)
{
    struct heap_class root = classes->items[0];
    classes->items[0].size = 0;
    if (root.field_count == 0)
        return STATUS_OK;
    TRY(add_class(classes, CLASS_OBJECT, false, why));
    struct heap_class *made = &classes->items[classes->count - 1];
    classes->items[0] = (struct heap_class){.name = root.name};
    root.name = made->name;
    *made = root;
    move_root_objects(classes, classes->count - 1);
    return STATUS_OK;
}

/* Each object has room for all fields of its class. If objects of a class have few fields in
 * common, like those that are not allocated, a dump could grow with the square of the trace.
 * The objects of such a class, and of one with more fields than a dump can have, are written as
 * arrays of what they refer to. */
static void make_sparse_arrays(struct heap_classes *classes)
{
    for (size_t i = 1; i < classes->count; i++) {
        struct heap_class *class_of = &classes->items[i];
        uint64_t room = ROOM_MOST * (class_of->objects + class_of->slots);
        if (class_of->field_count == 0 || (class_of->field_count <= HPROF_FIELDS_MOST &&
                                           class_of->objects <= room / class_of->field_count))
            continue;
        class_of->is_array = true;
        class_of->field_count = 0;
        map_free(&class_of->fields);
    }
}

enum status heap_classes_find(struct heap_classes *classes, const struct heap_graph *graph,
                              struct failure *why)
{
    TRY(add_known(classes, why));
    TRY(add_objects(classes, graph, why));
    TRY(empty_root(classes, why));
    make_sparse_arrays(classes);
    for (size_t i = 0; i < classes->count; i++) {
        uint64_t field = 0, number = 0;
        for (uint64_t *entry = map_first(&classes->items[i].fields, &field); entry;
             entry = map_next(&classes->items[i].fields, &field))
            *entry = ++number;
    }
    return add_statics(classes, graph, why);
}

bool class_has_expected_field(const struct heap_class *class_of)
{
    return class_of->expected_field && class_of->objects == 0;
}

uint64_t class_field_count(const struct heap_class *class_of)
{
    return class_has_expected_field(class_of) ? 1 : class_of->field_count;
}

uint64_t class_filler(const struct heap_class *class_of)
{
    uint64_t taken = HPROF_OBJECT_HEADER + class_field_count(class_of) * HPROF_REFERENCE;
    uint64_t room = HPROF_FIELDS_MOST - class_field_count(class_of);
    uint64_t filler = class_of->size > taken ? class_of->size - taken : 0;
    if (filler / 8 + (unsigned)__builtin_popcountll(filler % 8) > room)
        filler -= filler % 8;
    return filler < room * 8 ? filler : room * 8;
}

enum hprof_type filler_type(uint64_t left)
{
    if (left >= 8)
        return HPROF_LONG;
    if (left >= 4)
        return HPROF_INT;
    return left >= 2 ? HPROF_SHORT : HPROF_BYTE;
}

const char *const offset_names[OFFSETS] = {"annotationDataOffset", "annotationTypeOffset"};

uint64_t class_offset_count(const struct heap_class *class_of)
{
    return class_of->has_offsets ? OFFSETS : 0;
}

uint64_t class_static_count(const struct heap_class *class_of)
{
    uint64_t room = HPROF_FIELDS_MOST - class_offset_count(class_of);
    return class_of->static_count < room ? class_of->static_count : room;
}

uint64_t class_filler_count(const struct heap_class *class_of)
{
    uint64_t filler = class_of->is_array ? 0 : class_filler(class_of);
    return filler / 8 + (unsigned)__builtin_popcountll(filler % 8);
}

uint64_t class_instance_bytes(const struct heap_class *class_of)
{
    return class_field_count(class_of) * HPROF_ID + class_filler(class_of);
}

uint64_t class_instance_size(const struct heap_class *class_of)
{
    return HPROF_OBJECT_HEADER + class_field_count(class_of) * HPROF_REFERENCE +
           class_filler(class_of);
}

/* Bytes of the record of a class and of each of its fields, without those of the value. */
enum { CLASS_RECORD = U1 + 7 * HPROF_ID + 2 * U4 + 3 * U2, FIELD_RECORD = HPROF_ID + U1 };

uint64_t class_record_bytes(const struct heap_class *class_of)
{
    uint64_t statics = class_static_count(class_of) + class_offset_count(class_of);
    return CLASS_RECORD + statics * (FIELD_RECORD + HPROF_ID) +
           (class_field_count(class_of) + class_filler_count(class_of)) * FIELD_RECORD;
}

void heap_classes_free(struct heap_classes *classes)
{
    for (size_t i = 0; i < classes->count; i++) {
        map_free(&classes->items[i].fields);
        free(classes->items[i].statics);
    }
    free(classes->items);
    for (size_t i = 0; i < classes->type_count; i++) {
        free(classes->types[i].name);
        map_free(&classes->types[i].sizes);
    }
    free(classes->types);
    map_free(&classes->of_types);
    symbols_free(&classes->symbols);
    free(classes->of_symbols);
    map_free(&classes->owners);
    free(classes->name.text);
    *classes = (struct heap_classes){.items = NULL};
}
