/* SPDX-License-Identifier: MIT */
/* The classes of a heap dump: those of the objects, as far as a trace shows their form, and
 * those that static fields and methods need. */
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
    char *name;           /* as Java prints it; owned */
    uint64_t id;          /* of its object; for the dump */
    bool is_array;        /* its objects are written as arrays */
    bool has_references;  /* an array: into which an object was stored */
    bool has_other_sizes; /* its objects are not all as large */
    uint64_t objects;
    uint64_t slots;    /* in which they have held references */
    uint64_t size;     /* bytes of the largest object */
    struct map fields; /* in which its objects have held references, -> number from 1 on */
    uint64_t field_count;
    const char *expected_field; /* that readers look for, if there are no objects; NULL: none */
    struct heap_static *statics;
    size_t static_count, static_capacity;
};

/* Zero-initialize it; heap_classes_free ends it. */
struct heap_classes {
    const struct names *names; /* NULL: there are none */
    struct heap_class *items;
    size_t count, capacity;
    struct map of_types;    /* type, times 2, plus 1 for arrays -> class, from 1 on */
    struct symbols symbols; /* names of classes; */
    size_t *of_symbols;     /* by symbol: the first class with that name */
    size_t of_symbol_capacity;
    struct java_name name; /* a buffer */
};

/* Names of classes that no program has. */
#define CLASS_UNALLOCATED "etmerlin.Unallocated" /* of objects that are not allocated */
#define CLASS_STATIC "etmerlin.Static"           /* of static fields without a name */
#define CLASS_THREAD "etmerlin.Thread"           /* of threads, as objects that hold frames */
#define CLASS_OBJECT "etmerlin.Object"           /* of objects of the root that hold others */
#define CLASS_METHOD "etmerlin.Method"           /* of methods without a name */

/* Makes java.lang.Object, the classes of primitive arrays, those of references, and those
 * of all that is present in the graph, with what their objects have; and those of the static
 * fields. */
enum status heap_classes_find(struct heap_classes *classes, const struct heap_graph *graph,
                              struct failure *why) MUST_CHECK;

/* The class of a present object, which has been found. */
size_t heap_classes_of(const struct heap_classes *classes, const struct graph_object *object);

/* Sets *number to the class with the name of the `length` bytes at `text`, which is made if
 * there is none. */
enum status heap_classes_named(struct heap_classes *classes, const char *text, size_t length,
                               size_t *number, struct failure *why) MUST_CHECK;

/* The type of the elements of an array of the class. */
enum hprof_type heap_classes_element(const struct heap_class *class_of,
                                     const struct graph_object *object);

/* A name of a member in parts, each of so many bytes; a signature is what begins with "(", and
 * the line of a site what follows its last colon. */
struct member_name {
    const char *owner; /* NULL: it has none; a number: that class has no name */
    size_t owner_length;
    const char *own; /* NULL: there is no name */
    size_t own_length;
    const char *signature;
    size_t signature_length;
    uint32_t line; /* 0: there is none */
};

/* Good until a name is added. */
struct member_name heap_member_name(const struct names *names, enum name_space space,
                                    uint64_t id);

/* Sets *number to the class of a member, which is made if there is none; to that which is
 * called `other` if the name has no class. */
enum status heap_classes_owner(struct heap_classes *classes, const struct member_name *name,
                               const char *other, size_t *number,
                               struct failure *why) MUST_CHECK;

void heap_classes_free(struct heap_classes *classes);

#endif
