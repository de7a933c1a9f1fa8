/* SPDX-License-Identifier: MIT */
/* The records of the objects in a heap dump: their fields, or the elements of arrays. */
#ifndef ETMERLIN_REPORT_GRAPH_DUMP_OBJECTS_H
#define ETMERLIN_REPORT_GRAPH_DUMP_OBJECTS_H

#include "report/graph/heap_classes.h"

/* Serial numbers of stack traces: 1 is the empty trace; then come those of threads, then those
 * of sites. */
enum { NO_TRACE = 1, FIRST_TRACE = 2 };

/* Arrays that differ from those in the trace. */
struct array_remark {
    uint64_t count;
    size_t class_of; /* of the first */
};

/* Zero-initialize it, but for the first three members; dump_objects_free ends it. */
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
enum status dump_objects_put(struct dump_objects *objects, const struct graph_object *object,
                             struct failure *why) MUST_CHECK;

/* The size of an object that tools show: a multiple of the alignment. */
uint64_t dump_objects_align(uint64_t size);

void dump_objects_free(struct dump_objects *objects);

#endif
