/* SPDX-License-Identifier: MIT */
/* The types of a trace, the type of each object, and the sizes of objects (etmerlin-formats(5),
 * SELOGGER: the files LOG$Types, LOG$ObjectTypes and LOG$String, and the size of an object). */
#ifndef ETMERLIN_FORMATS_SELOGGER_INDEX_TYPES_H
#define ETMERLIN_FORMATS_SELOGGER_INDEX_TYPES_H

#include "base/map.h"
#include "base/status.h"
#include "base/symbols.h"
#include "formats/selogger/index/loading.h"

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
    struct symbols *symbols;
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
enum status types_load(struct types *types, const struct loading *loading,
                       struct failure *why) MUST_CHECK;

/* Sets *type to the first type with this name, a symbol; one is added if there is none. */
enum status types_of_name(struct types *types, uint32_t name, uint32_t *type,
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

#endif
