/* SPDX-License-Identifier: MIT */
/* The fields that a class has in a heap dump, and the bytes that these and its objects take.
 * The fields that hold references come first; then come those that only fill the objects. */
#ifndef ETMERLIN_REPORT_GRAPH_CLASS_LAYOUT_H
#define ETMERLIN_REPORT_GRAPH_CLASS_LAYOUT_H

#include "report/graph/heap_classes.h"

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

#endif
