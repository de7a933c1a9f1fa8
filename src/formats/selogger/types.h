/* SPDX-License-Identifier: MIT */
/* The types and objects of a trace (etmerlin-formats(5), SELOGGER: the files LOG$Types,
 * LOG$ObjectTypes, LOG$String and LOG$Exceptions, and the size of an object), and the fields of
 * the types. */
#ifndef ETMERLIN_FORMATS_SELOGGER_TYPES_H
#define ETMERLIN_FORMATS_SELOGGER_TYPES_H

#include "base/map.h"
#include "base/status.h"
#include "base/symbols.h"
#include "formats/selogger/loading.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No type has this number. */
#define NO_TYPE UINT32_MAX

/* The length of an array if it is not recorded. */
#define NO_LENGTH UINT64_MAX

/* Classes with a special meaning, which their subclasses share. */
enum type_kind { TYPE_THREAD = 1, TYPE_BAD_STORE = 2, TYPE_BAD_INDEX = 4 };

struct type {
    uint32_t name;    /* a symbol */
    uint32_t parent;  /* the superclass; NO_TYPE: there is none, or it is not known */
    uint32_t element; /* bytes of an element; 0: it is no array */
    uint32_t kinds;   /* of enum type_kind, those of its superclasses included */
    uint64_t size;    /* bytes of an object; 0: not known */
};

/* Zero-initialize it; types_free ends it. */
struct types {
    struct type *items; /* by their numbers in the trace */
    size_t count;
    size_t capacity;
    bool have_parents;   /* the file has the superclasses */
    struct map named;    /* symbol -> the first type with that name, + 1 */
    uint32_t *of_object; /* by object - 1, for objects whose lines are in order */
    size_t object_count;
    size_t object_capacity;
    struct map strays; /* for other objects: object -> type + 1 */
    uint64_t stray_count;
    uint64_t bad_objects;  /* lines that are not OBJECT,TYPE */
    struct map sizes;      /* symbol -> bytes, by the user's table */
    struct map characters; /* string object -> bytes of the array of its characters */
    /* Symbols of the names of types with a special meaning. */
    uint32_t string, thread, bad_store, bad_index;
};

/* Reads the files that exist next to the index, and adds the names of types. If a file is
 * missing there is a remark, not a failure. */
enum status types_load(struct catalogue *catalogue, struct failure *why) MUST_CHECK;

/* Sets *type to the first type with this name, a symbol; one is added if there is none. */
enum status types_of_name(struct catalogue *catalogue, uint32_t name, uint32_t *type,
                          struct failure *why) MUST_CHECK;

/* The type of an object whose line was out of order; NO_TYPE: the trace does not have it. */
uint32_t types_of_stray(const struct types *types, uint64_t object);

/* The type of an object; NO_TYPE: the trace does not have it. */
static inline uint32_t types_of_object(const struct types *types, uint64_t object)
{
    if (object - 1 < types->object_count)
        return types->of_object[object - 1];
    return types->stray_count > 0 ? types_of_stray(types, object) : NO_TYPE;
}

/* Whether `type` is of one of these kinds (enum type_kind); false for NO_TYPE. */
static inline bool types_is_a(const struct types *types, uint32_t type, unsigned kinds)
{
    return type != NO_TYPE && (types->items[type].kinds & kinds) != 0;
}

/* The bytes of `object`, whose type is `type` (NO_TYPE: not known) and which has, if it is an
 * array, `length` elements (NO_LENGTH: not known); 0: its size is not known. */
uint64_t types_size(const struct types *types, uint64_t object, uint32_t type, uint64_t length);

/* Releases what the types own. */
void types_free(struct types *types);

/* Which exceptions hold other exceptions: their causes, and those that they suppressed. */
struct exceptions {
    struct map first;  /* exception -> position in `objects` of the first that it holds, + 1 */
    uint64_t *objects; /* a 0 follows the last one of each exception */
    size_t count;
    size_t capacity;
};

/* Reads which exceptions hold others from the files LOG$Exceptions... next to the index, if
 * there are any. */
enum status exceptions_load(struct catalogue *catalogue, struct failure *why) MUST_CHECK;

/* The objects that the exception `object` holds, and a 0 after them; NULL: it holds none, or is
 * no exception. */
const uint64_t *exceptions_held_by(const struct exceptions *exceptions, uint64_t object);

/* Releases what the exceptions own. */
void exceptions_free(struct exceptions *exceptions);

/* Numbers for fields, such that a store overwrites what another store put in the same field
 * (etmerlin-formats(5), "Fields of the records").
 *
 * An instruction names the class through which it accesses a field, not the one that declares
 * it. So fields of the same name and type count as one if their classes are on one chain of
 * superclasses.
 *
 * If letters of a name are lost, several fields may have what remains of it. If those counted
 * as one, a store to one would seem to remove what another holds, and objects would die too
 * early. So each instruction that names such a field has a field of its own, and objects may
 * die too late. This is also right more often: few fields of the Java library and of others
 * have several instructions that store to them; more would share what is left of their name,
 * their type and their class with another field. */

#define NO_FIELD UINT32_MAX

/* No instruction has this data id. */
#define NO_DATA_ID UINT32_MAX

struct sel_field {
    uint32_t owner, name, type; /* symbols */
    uint32_t loader; /* of a static field whose owner's name several classes have: the symbol of
                        the loader of the code that accesses it; NO_SYMBOL: of any other
                        field, or that loader is not known */
    uint32_t site;   /* of a field whose name has lost letters: the data id of the instruction
                        that accesses it; NO_DATA_ID: of any other field */
};

/* Zero-initialize it; fields_free ends it. */
struct fields {
    struct symbols keys; /* the bytes of struct sel_field */
    uint32_t *same_as;   /* by field: the field that it is joined with, or itself; NULL: not
                            joined yet */
};

/* Sets *field to the number of the field with this key, which is added if it is new. */
enum status fields_add(struct fields *fields, const struct sel_field *key, uint32_t *field,
                       struct failure *why) MUST_CHECK;

/* Joins the fields that count as one, names all fields, and remarks if those that were joined
 * may be several that only share a name. To be called once, when all fields have been added. */
enum status fields_join(struct catalogue *catalogue, struct failure *why) MUST_CHECK;

/* The number of `field` in records, which is above 0. */
static inline uint64_t fields_number(const struct fields *fields, uint32_t field)
{
    return (uint64_t)fields->same_as[field] + 1;
}

/* Releases what the fields own. */
void fields_free(struct fields *fields);

#endif
