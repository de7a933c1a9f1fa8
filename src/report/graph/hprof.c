/* SPDX-License-Identifier: MIT */
/* A record of the file has at most 4 GiB, but the heap may have any number of segments. The
 * length of a segment comes before its contents, so a segment is made in memory, and written as
 * soon as it has a MiB. A large object, whose length is known before, is a segment that is
 * never in memory. */
#include "report/graph/hprof.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum file_tag {
    TAG_STRING = 0x01,
    TAG_LOAD_CLASS = 0x02,
    TAG_FRAME = 0x04,
    TAG_TRACE = 0x05,
    TAG_HEAP_SEGMENT = 0x1C,
    TAG_HEAP_END = 0x2C
};

enum { RECORD_HEADER = 9 }; /* bytes */

static void put_number(struct hprof *hprof, uint64_t number, unsigned bytes)
{
    char text[U8];
    for (unsigned i = 0; i < bytes; i++)
        text[i] = (char)(number >> 8 * (bytes - 1 - i));
    print_bytes(hprof->print, text, bytes);
}

static void put_header(struct hprof *hprof, enum file_tag tag, uint64_t length)
{
    put_number(hprof, tag, U1);
    put_number(hprof, 0, U4); /* microseconds since the dump began */
    put_number(hprof, length, U4);
}

/* The time of the dump is written as 0, so that the same trace gives the same bytes. */
void hprof_begin(struct hprof *hprof, struct print *print)
{
    static const char version[] = "JAVA PROFILE 1.0.2";
    *hprof = (struct hprof){.print = print};
    print_bytes(print, version, sizeof version);
    put_number(hprof, HPROF_ID, U4);
    put_number(hprof, 0, U8);
}

void hprof_no_memory(struct hprof *hprof)
{
    struct print *print = hprof->print;
    if (print->status == STATUS_OK)
        print->status = fail_memory(print->why);
}

void hprof_string(struct hprof *hprof, uint64_t id, const char *text, size_t length)
{
    put_header(hprof, TAG_STRING, HPROF_ID + length);
    put_number(hprof, id, HPROF_ID);
    print_bytes(hprof->print, text, length);
}

void hprof_load_class(struct hprof *hprof, uint32_t serial, uint64_t id, uint32_t trace,
                      uint64_t name)
{
    put_header(hprof, TAG_LOAD_CLASS, 2 * U4 + 2 * HPROF_ID);
    put_number(hprof, serial, U4);
    put_number(hprof, id, HPROF_ID);
    put_number(hprof, trace, U4);
    put_number(hprof, name, HPROF_ID);
}

void hprof_frame(struct hprof *hprof, uint64_t id, uint64_t method, uint64_t signature,
                 uint32_t class_serial, uint32_t line)
{
    put_header(hprof, TAG_FRAME, 4 * HPROF_ID + 2 * U4);
    put_number(hprof, id, HPROF_ID);
    put_number(hprof, method, HPROF_ID);
    put_number(hprof, signature, HPROF_ID);
    put_number(hprof, 0, HPROF_ID); /* no source file */
    put_number(hprof, class_serial, U4);
    put_number(hprof, line, U4);
}

void hprof_trace(struct hprof *hprof, uint32_t serial, uint32_t thread, uint32_t count)
{
    put_header(hprof, TAG_TRACE, 3 * U4 + (uint64_t)count * HPROF_ID);
    put_number(hprof, serial, U4);
    put_number(hprof, thread, U4);
    put_number(hprof, count, U4);
}

void hprof_trace_frame(struct hprof *hprof, uint64_t id)
{
    put_number(hprof, id, HPROF_ID);
}

static void write_zeros(struct hprof *hprof, uint64_t count)
{
    static const char nothing[4096];
    while (count > 0 && hprof->print->status == STATUS_OK) {
        size_t some = count < sizeof nothing ? (size_t)count : sizeof nothing;
        print_bytes(hprof->print, nothing, some);
        count -= some;
    }
}

static void write_segment(struct hprof *hprof)
{
    if (hprof->length == 0)
        return;
    put_header(hprof, TAG_HEAP_SEGMENT, hprof->length);
    print_bytes(hprof->print, (const char *)hprof->segment, hprof->length);
    hprof->length = 0;
}

/* Makes room for `bytes` more in the segment, and returns where; NULL: this or something before
 * has failed. */
static unsigned char *segment_room(struct hprof *hprof, size_t bytes)
{
    if (hprof->print->status != STATUS_OK)
        return NULL;
    if (!ARRAY_RESERVE(hprof->segment, hprof->capacity, hprof->length + bytes)) {
        hprof_no_memory(hprof);
        return NULL;
    }
    hprof->length += bytes;
    return hprof->segment + hprof->length - bytes;
}

void hprof_put(struct hprof *hprof, uint64_t number, unsigned bytes)
{
    if (hprof->is_direct) {
        put_number(hprof, number, bytes);
        return;
    }
    unsigned char *room = segment_room(hprof, bytes);
    for (unsigned i = 0; room && i < bytes; i++)
        room[i] = (unsigned char)(number >> 8 * (bytes - 1 - i));
}

void hprof_heap(struct hprof *hprof, enum hprof_heap_tag tag)
{
    hprof_put(hprof, tag, U1);
}

void hprof_heap_large(struct hprof *hprof, enum hprof_heap_tag tag, uint64_t bytes)
{
    if (bytes >= HPROF_SEGMENT) {
        write_segment(hprof);
        put_header(hprof, TAG_HEAP_SEGMENT, bytes);
        hprof->is_direct = true;
    }
    hprof_heap(hprof, tag);
}

void hprof_put_id(struct hprof *hprof, uint64_t id)
{
    hprof_put(hprof, id, HPROF_ID);
}

void hprof_put_zeros(struct hprof *hprof, uint64_t count)
{
    if (hprof->is_direct) {
        write_zeros(hprof, count);
        return;
    }
    unsigned char *room = count > 0 ? segment_room(hprof, (size_t)count) : NULL;
    if (room)
        memset(room, 0, (size_t)count);
}

void hprof_heap_end(struct hprof *hprof, uint64_t zeros)
{
    hprof_put_zeros(hprof, zeros);
    hprof->is_direct = false;
    if (hprof->length >= HPROF_SEGMENT)
        write_segment(hprof);
}

unsigned hprof_size(enum hprof_type type)
{
    static const unsigned char sizes[] = {
        [HPROF_BOOLEAN] = 1, [HPROF_CHAR] = 2,  [HPROF_FLOAT] = 4, [HPROF_DOUBLE] = 8,
        [HPROF_BYTE] = 1,    [HPROF_SHORT] = 2, [HPROF_INT] = 4,   [HPROF_LONG] = 8,
    };
    return type == HPROF_OBJECT ? HPROF_ID : sizes[type];
}

unsigned hprof_heap_size(enum hprof_type type)
{
    return type == HPROF_OBJECT ? HPROF_REFERENCE : hprof_size(type);
}

enum status hprof_end(struct hprof *hprof)
{
    if (hprof->print->status == STATUS_OK) {
        write_segment(hprof);
        put_header(hprof, TAG_HEAP_END, 0);
    }
    free(hprof->segment);
    hprof->segment = NULL;
    return hprof->print->status;
}
