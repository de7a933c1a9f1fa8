/* SPDX-License-Identifier: MIT */
/* Writing of HPROF 1.0.2, the form of heap dumps that OpenJDK's heapDumper.cpp describes: a
 * file of records, whose numbers are big-endian. */
#ifndef ETMERLIN_REPORT_GRAPH_HPROF_H
#define ETMERLIN_REPORT_GRAPH_HPROF_H

#include "report/print.h"

/* Types of fields and elements. */
enum hprof_type {
    HPROF_OBJECT = 2,
    HPROF_BOOLEAN = 4,
    HPROF_CHAR,
    HPROF_FLOAT,
    HPROF_DOUBLE,
    HPROF_BYTE,
    HPROF_SHORT,
    HPROF_INT,
    HPROF_LONG
};

/* What records of the heap begin with. */
enum hprof_heap_tag {
    HPROF_ROOT_JAVA_FRAME = 0x03,
    HPROF_ROOT_STICKY_CLASS = 0x05,
    HPROF_ROOT_THREAD = 0x08,
    HPROF_CLASS_DUMP = 0x20,
    HPROF_INSTANCE_DUMP = 0x21,
    HPROF_OBJECT_ARRAY_DUMP = 0x22,
    HPROF_PRIMITIVE_ARRAY_DUMP = 0x23,
    HPROF_ROOT_UNKNOWN = 0xFF
};

enum { HPROF_SEGMENT = 1 << 20 };
#define HPROF_RECORD_MOST (UINT32_MAX - 4 * (uint64_t)HPROF_SEGMENT)

/* A dump that is being written. What could not be written is found in print->status. */
struct hprof {
    struct print *print;
    unsigned id_size;       /* bytes of an id: 4 or 8 */
    unsigned char *segment; /* records of the heap that are not written yet */
    size_t length, capacity;
};

/* Begins a dump with its header. hprof_end ends it, also after a failure. */
enum status hprof_begin(struct hprof *hprof, struct print *print, unsigned id_size) MUST_CHECK;

/* A name, of `length` bytes of any kind. */
void hprof_string(struct hprof *hprof, uint64_t id, const char *text, size_t length);

/* A class, whose name is string `name`, with a serial number. */
void hprof_load_class(struct hprof *hprof, uint32_t serial, uint64_t id, uint64_t name);

/* A frame of stack traces: its method and signature, both strings, its class by serial number,
 * and its line; 0: that is not known. */
void hprof_frame(struct hprof *hprof, uint64_t id, uint64_t method, uint64_t signature,
                 uint32_t class_serial, uint32_t line);

/* The trace of a thread (0: of no thread), both by serial number, of `count` frames: as many
 * ids follow, the innermost first. */
void hprof_trace(struct hprof *hprof, uint32_t serial, uint32_t thread, uint32_t count);
void hprof_trace_frame(struct hprof *hprof, uint64_t id);

/* A record of the heap: hprof_heap, its numbers, and hprof_heap_end with how many bytes, all of
 * them zero, end it. In all it has at most HPROF_RECORD_MOST bytes. */
void hprof_heap(struct hprof *hprof, enum hprof_heap_tag tag);
void hprof_put(struct hprof *hprof, uint64_t number, unsigned bytes);
void hprof_put_id(struct hprof *hprof, uint64_t id);
void hprof_put_zeros(struct hprof *hprof, uint64_t count);
void hprof_heap_end(struct hprof *hprof, uint64_t zeros);

/* Bytes of an element or field. */
unsigned hprof_size(enum hprof_type type, unsigned id_size);

/* Ends the dump and releases what it holds; returns the status of all of it. */
enum status hprof_end(struct hprof *hprof) MUST_CHECK;

#endif
