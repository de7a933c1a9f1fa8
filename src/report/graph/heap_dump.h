/* SPDX-License-Identifier: MIT */
/* The parts of a heap dump: its strings, its objects, and what of these it shows otherwise than
 * the trace. */
#ifndef ETMERLIN_REPORT_GRAPH_HEAP_DUMP_H
#define ETMERLIN_REPORT_GRAPH_HEAP_DUMP_H

#include "report/graph/heap_classes.h"

#include <stdio.h>

/* The strings: the names of classes, methods and fields. Each is written once, with an id.
 *
 * Zero-initialize it, but for `hprof` and `names`; dump_names_free ends it. Failures are kept
 * in hprof->print->status. */
struct dump_names {
    struct hprof *hprof;              /* what they are written to */
    const struct names *names;        /* of the trace; NULL: there are none */
    struct symbols strings;           /* by id, less 1 */
    struct map own_names, signatures; /* of methods: where a part begins -> its string */
    uint64_t *fields; /* strings: of each class those of the fields, then of static ones */
    size_t field_count, field_capacity;
};

/* Returns the id of a string, which is put unless it has been before. */
uint64_t dump_names_put(struct dump_names *names, const char *text, size_t length);

/* Puts WHAT#ID, in place of a missing name; returns the id of the string. */
uint64_t dump_names_put_number(struct dump_names *names, const char *what, uint64_t id);

/* Puts the name of a class as virtual machines spell it: java/lang/String, [I,
 * [Ljava/lang/String;. Returns the id of the string. */
uint64_t dump_names_put_class(struct dump_names *names, const char *name, bool is_array);

/* Sets *own and *signature to the ids of the parts of a member's name within its class. */
void dump_names_put_member(struct dump_names *names, const struct member_name *name,
                           uint64_t *own, uint64_t *signature);

/* Appends the names of the fields of a class to names->fields, in the order in which they are
 * put. */
void dump_names_add_fields(struct dump_names *names, const struct heap_class *class_of);

void dump_names_free(struct dump_names *names);

/* Serial numbers of stack traces: 1 is the empty trace; then come those of threads, then those
 * of sites. */
enum { NO_TRACE = 1, FIRST_TRACE = 2 };

/* Arrays that differ from those in the trace. */
struct array_remark {
    uint64_t count;
    const struct heap_class *class_of; /* of the first */
};

/* The records of the objects: their fields, or the elements of arrays.
 *
 * Zero-initialize it, but for the first three members; dump_objects_free ends it. Failures are
 * kept in hprof->print->status. */
struct dump_objects {
    struct hprof *hprof; /* what they are written to */
    const struct heap_graph *graph;
    const struct heap_classes *classes;
    uint64_t *values; /* of the fields of an object */
    size_t value_capacity;
    struct element *elements;
    size_t element_count, element_capacity;
    struct array_remark cut;     /* arrays with fewer elements than in the trace */
    struct array_remark resized; /* arrays that are shown in a wrong size */
};

/* The most references that an object may hold, as an array of a dump. */
extern const uint64_t dump_objects_references_most;

/* The bytes of the record of a present object. */
uint64_t dump_objects_bytes(const struct dump_objects *objects,
                            const struct graph_object *object);

/* Puts a present object. Its record must have at most HPROF_RECORD_MOST bytes. */
void dump_objects_put(struct dump_objects *objects, const struct graph_object *object);

void dump_objects_free(struct dump_objects *objects);

/* Prints what a dump shows otherwise than the trace, after `prefix`, when its objects have been
 * put, `renamed` of them with other ids. Prints nothing if there is nothing like that. */
void dump_remarks_print(FILE *stream, const char *prefix, const struct dump_objects *objects,
                        uint64_t renamed);

#endif
