/* SPDX-License-Identifier: MIT */
/* Writes HPROF 1.0.2, the format of heap dumps that OpenJDK's heapDumper.cpp describes: a file
 * of records, whose numbers are big-endian.
 *
 * Ids, and with them references, have 8 bytes in the file, as in dumps of 64-bit virtual
 * machines. Tools reckon sizes themselves, of which a dump has none: with the headers and
 * references of a virtual machine with compressed references, if they find that it has them. */
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

/* The first byte of a record of the heap. */
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

/* Bytes of numbers in the file, and of an id. */
enum { U1 = 1, U2 = 2, U4 = 4, U8 = 8, HPROF_ID = U8 };

/* Bytes in the heap, as tools reckon with compressed references: the headers of an object and
 * of an array, a reference, and a multiple of which sizes are. */
enum {
    HPROF_OBJECT_HEADER = 12,
    HPROF_ARRAY_HEADER = 16,
    HPROF_REFERENCE = 4,
    HPROF_ALIGNMENT = 8
};

#define HPROF_RECORD_MOST (UINT32_MAX - 4 * (uint64_t)HPROF_SEGMENT)

/* The most fields, and static fields, that a class may have. */
enum { HPROF_FIELDS_MOST = 65535 };

/* A dump that is being written. Failures are kept in print->status. */
struct hprof {
    struct print *print;
    unsigned char *segment; /* records of the heap that are not written yet */
    size_t length, capacity;
    bool is_direct; /* the present record is not put into the segment, but written at once */
};

/* Begins a dump with its header. hprof_end ends it, also after a failure. */
void hprof_begin(struct hprof *hprof, struct print *print);

/* Notes that there is no memory for what is to be written. */
void hprof_no_memory(struct hprof *hprof);

/* Writes a string of `length` bytes, with an id. */
void hprof_string(struct hprof *hprof, uint64_t id, const char *text, size_t length);

/* Writes that a class exists: its serial number, its id, the serial number of the stack trace
 * that loaded it, and the id of the string of its name. */
void hprof_load_class(struct hprof *hprof, uint32_t serial, uint64_t id, uint32_t trace,
                      uint64_t name);

/* Writes a frame of stack traces: its id, the ids of the strings of its method and signature,
 * the serial number of its class, and its line; 0: that is not known. */
void hprof_frame(struct hprof *hprof, uint64_t id, uint64_t method, uint64_t signature,
                 uint32_t class_serial, uint32_t line);

/* Writes a stack trace of `count` frames: its serial number, and that of its thread (0: none).
 * hprof_trace_frame must then write the ids of the frames, the innermost first. */
void hprof_trace(struct hprof *hprof, uint32_t serial, uint32_t thread, uint32_t count);
void hprof_trace_frame(struct hprof *hprof, uint64_t id);

/* Write a record of the heap: first hprof_heap, then its numbers, then hprof_heap_end, which
 * adds `zeros` bytes of zeros. A record may have at most HPROF_RECORD_MOST bytes. If it may be
 * large, hprof_heap_large comes first instead; `bytes` are those of the record, its tag
 * included: so it is never in memory as a whole. */
void hprof_heap(struct hprof *hprof, enum hprof_heap_tag tag);
void hprof_heap_large(struct hprof *hprof, enum hprof_heap_tag tag, uint64_t bytes);
void hprof_put(struct hprof *hprof, uint64_t number, unsigned bytes);
void hprof_put_id(struct hprof *hprof, uint64_t id);
void hprof_put_zeros(struct hprof *hprof, uint64_t count);
void hprof_heap_end(struct hprof *hprof, uint64_t zeros);

/* The bytes of an element or field of a type, in the file and in the heap. */
unsigned hprof_size(enum hprof_type type);
unsigned hprof_heap_size(enum hprof_type type);

/* Ends the dump and releases its memory; returns the status of the whole dump. */
enum status hprof_end(struct hprof *hprof) MUST_CHECK;

#endif
