/* SPDX-License-Identifier: MIT */
/* The classes of a heap dump: those of the objects, as far as a trace shows what they are like,
 * and those that static fields and methods need; the fields of each, and the bytes that these
 * and its objects take. */
#ifndef ETMERLIN_REPORT_GRAPH_HEAP_CLASSES_H
#define ETMERLIN_REPORT_GRAPH_HEAP_CLASSES_H

#include "base/map.h"
#include "base/symbols.h"
#include "report/graph/heap_graph.h"
#include "report/graph/hprof.h"
#include "report/java_name.h"
#include "trace/names.h"

struct heap_static {
    uint64_t field;
    node_t target;
};

struct heap_class {
    uint32_t name;        /* the symbol of its name as Java prints it (heap_class_name) */
    uint64_t id;          /* its id in the dump */
    bool is_array;        /* its objects are written as arrays */
    bool has_references;  /* something was stored into its objects */
    bool has_other_sizes; /* its objects have different sizes in the trace */
    uint64_t objects;
    uint64_t slots;    /* of all objects together */
    uint64_t size;     /* bytes of the largest object */
    struct map fields; /* field into which something was stored -> its number, from 1 on */
    uint64_t field_count;
    /* A field that readers look for, if the class has no objects; NULL: none. */
    const char *expected_field;
    bool has_offsets; /* readers look into it for the size of references */
    struct heap_static *statics;
    size_t static_count, static_capacity;
};

/* A type of the trace. All objects of a class have one size in a dump. If they have not in the
 * trace, as those of java.lang.Class, there is a class for each size. */
struct heap_type {
    char *name;        /* as Java prints it; owned */
    bool is_array;     /* its objects are arrays */
    bool is_primitive; /* by its name, the elements of these are primitive */
    struct map sizes;  /* of objects that are no arrays -> index of the class, plus 1 */
    uint64_t size_count;
    /* The index of the class, plus 1, of arrays, and of objects with other sizes; 0: none yet.
     */
    uint64_t others;
    uint64_t holders; /* the same, of arrays that hold references though they are primitive */
};

/* Zero-initialize it, but for `names` and `interrupt`; heap_classes_free ends it. */
struct heap_classes {
    const struct names *names; /* NULL: there are none */
    const struct interrupt *interrupt;
    struct heap_class *items;
    size_t count, capacity;
    struct heap_type *types;
    size_t type_count, type_capacity;
    struct map of_types;    /* type * 2, plus 1 for arrays -> index in `types`, plus 1 */
    struct symbols symbols; /* names of classes */
    size_t *of_symbols;     /* by symbol: index of the first class with that name */
    size_t of_symbol_capacity;
    struct map owners;     /* where the name of a member's class begins -> its index, plus 1 */
    struct java_name name; /* a buffer */
};

/* Names of classes that no program has. */
#define CLASS_UNALLOCATED "etmerlin.Unallocated" /* its objects are not allocated */
#define CLASS_STATIC "etmerlin.Static"           /* has the static fields without a name */
#define CLASS_THREAD "etmerlin.Thread"           /* its objects are threads that hold frames */
/* Its objects are of java.lang.Object, but hold references or have another size. */
#define CLASS_OBJECT "etmerlin.Object"
/* Its static fields show tools how large references are. */
#define CLASS_OFFSETS "java.lang.Class$Atomic"
/* Has two arrays that show tools how large references are. */
#define CLASS_COMPRESSED "etmerlin.CompressedReferences[]"
#define CLASS_METHOD "etmerlin.Method" /* has the methods without a name */

/* Makes the classes of a dump: java.lang.Object, those of primitive arrays and of references,
 * those of all present objects of the graph, with their fields, and those of the static fields.
 */
enum status heap_classes_find(struct heap_classes *classes, const struct heap_graph *graph,
                              struct failure *why) MUST_CHECK;

/* The name of a class as Java prints it, valid until a class is added. */
static inline const char *heap_class_name(const struct heap_classes *classes,
                                          const struct heap_class *class_of)
{
    return symbols_text(&classes->symbols, class_of->name, NULL);
}

/* After heap_classes_find: the index of the class of a present object. */
size_t heap_classes_of(const struct heap_classes *classes, const struct graph_object *object);

/* Sets *number to the index of the class whose name is the `length` bytes at `text`; makes it
 * if there is none. */
enum status heap_classes_named(struct heap_classes *classes, const char *text, size_t length,
                               size_t *number, struct failure *why) MUST_CHECK;

/* The type of the elements of an array `object` of the class. If its name does not say, it is
 * guessed from the size and length of the array. */
enum hprof_type heap_classes_element(const struct heap_classes *classes,
                                     const struct heap_class *class_of,
                                     const struct graph_object *object);

/* The layout of a class: the fields that hold references come first, then those that only fill
 * its objects. */

/* Whether the class has no objects, and only the field that readers look for. */
bool class_has_expected_field(const struct heap_class *class_of);

/* The number of fields that hold references, and of those that fill the objects of the class,
 * which is no array. */
uint64_t class_field_count(const struct heap_class *class_of);
uint64_t class_filler_count(const struct heap_class *class_of);

/* The bytes of an object that are neither header nor references; they are filled with fields,
 * the next of which has this type where so many bytes are left. */
uint64_t class_filler(const struct heap_class *class_of);
enum hprof_type filler_type(uint64_t left);

/* The names of two static fields of CLASS_OFFSETS, as virtual machines have them: the offsets
 * of two fields that hold references, one after the other. */
enum { OFFSETS = 2 };
extern const char *const offset_names[OFFSETS];

/* The number of static fields that are such offsets, and of those of the trace that are written
 * for the class. */
uint64_t class_offset_count(const struct heap_class *class_of);
uint64_t class_static_count(const struct heap_class *class_of);

/* The bytes of all fields of an object of the class in the file, and with the header those of
 * the object in the heap. */
uint64_t class_instance_bytes(const struct heap_class *class_of);
uint64_t class_instance_size(const struct heap_class *class_of);

/* The bytes of the record of the class. */
uint64_t class_record_bytes(const struct heap_class *class_of);

/* The parts of the name of a field, method or site, and their lengths in bytes. A signature
 * begins with "(", and a line follows the last colon of a site. */
struct member_name {
    /* The class; NULL: not known; a number: the id of a class without a name. */
    const char *owner;
    size_t owner_length;
    const char *own; /* the name within the class; NULL: there is none */
    size_t own_length;
    const char *signature;
    size_t signature_length;
    uint32_t line; /* 0: there is none */
};

/* The name of a member. Its parts point into `names`, and are valid until a name is added
 * there. */
struct member_name heap_member_name(const struct names *names, enum name_space space,
                                    uint64_t id);

/* Sets *number to the index of the class of a member, or of the class `other` if the name has
 * no class; makes the class if there is none. */
enum status heap_classes_owner(struct heap_classes *classes, const struct member_name *name,
                               const char *other, size_t *number,
                               struct failure *why) MUST_CHECK;

void heap_classes_free(struct heap_classes *classes);

#endif
