/* SPDX-License-Identifier: MIT */
/* The types of a trace, which object has which, and how large objects are (etmerlin-formats(5),
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

/* The number of no type. */
#define NO_TYPE UINT32_MAX

/* An array whose length is not recorded. */
#define NO_LENGTH UINT64_MAX

/* Classes that mean something, with their subclasses. */
enum type_kind { TYPE_THREAD = 1, TYPE_BAD_STORE = 2, TYPE_BAD_INDEX = 4 };

struct type {
    uint32_t name;    /* a symbol */
    uint32_t parent;  /* superclass, NO_TYPE if there is none or it is not known */
    uint32_t element; /* bytes of an element; 0: no array */
    uint32_t kinds;   /* enum type_kind, those of its superclasses included */
    uint64_t size;    /* bytes of an object; 0: not known */
};

/* Zero-initialize it; types_free ends it. */
struct types {
    struct symbols *symbols;
    struct type *items; /* by the number that the trace gives them */
    size_t count;
    size_t capacity;
    struct map named;    /* symbol -> the first type with that name */
    uint32_t *of_object; /* by object - 1, of those whose lines came in order */
    size_t object_count;
    size_t object_capacity;
    struct map strays; /* of others: object -> type + 1 */
    uint64_t stray_count;
    uint64_t bad_objects;  /* lines without the type of an object */
    struct map sizes;      /* symbol -> bytes, as the user says */
    struct map characters; /* object -> bytes of the array that a string's text takes */
    /* Symbols of the names of types that mean something. */
    uint32_t string, thread, bad_store, bad_index;
};

/* Reads what there is next to the index. Files that are missing are no failure but a note. */
enum status types_load(struct types *types, const struct loading *loading,
                       struct failure *why) MUST_CHECK;

/* The type with this name (a symbol); one is made if there is none. */
enum status types_of_name(struct types *types, uint32_t name, uint32_t *type,
                          struct failure *why) MUST_CHECK;

/* The type of an object whose line did not come in order; NO_TYPE: the trace does not have it.
 */
uint32_t types_of_stray(const struct types *types, uint64_t object);

/* The type of an object, NO_TYPE if the trace does not have it. */
static inline uint32_t types_of_object(const struct types *types, uint64_t object)
{
    if (object - 1 < types->object_count)
        return types->of_object[object - 1];
    return types->stray_count > 0 ? types_of_stray(types, object) : NO_TYPE;
}

/* Whether `type` (NO_TYPE: never) is of one of these kinds. */
static inline bool types_is_a(const struct types *types, uint32_t type, unsigned kinds)
{
    return type != NO_TYPE && (types->items[type].kinds & kinds) != 0;
}

/* The bytes of `object`, which has the type `type` (NO_TYPE: not known) and, if it is an
 * array, `length` elements or NO_LENGTH; 0: not known. */
uint64_t types_size(const struct types *types, uint64_t object, uint32_t type, uint64_t length);

/* Releases what the types own. */
void types_free(struct types *types);

#endif
