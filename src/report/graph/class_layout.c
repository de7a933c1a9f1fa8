/* SPDX-License-Identifier: MIT */
/* A class may have HPROF_FIELDS_MOST fields. So the bytes that fill its objects are as many as
 * fit into the largest fields that are left. */
#include "report/graph/class_layout.h"

bool class_has_expected_field(const struct heap_class *class_of)
{
    return class_of->expected_field && class_of->objects == 0;
}

uint64_t class_field_count(const struct heap_class *class_of)
{
    return class_has_expected_field(class_of) ? 1 : class_of->field_count;
}

uint64_t class_filler(const struct heap_class *class_of)
{
    uint64_t taken = HPROF_OBJECT_HEADER + class_field_count(class_of) * HPROF_REFERENCE;
    uint64_t room = HPROF_FIELDS_MOST - class_field_count(class_of);
    uint64_t filler = class_of->size > taken ? class_of->size - taken : 0;
    if (filler / 8 + (unsigned)__builtin_popcountll(filler % 8) > room)
        filler -= filler % 8;
    return filler < room * 8 ? filler : room * 8;
}

enum hprof_type filler_type(uint64_t left)
{
    if (left >= 8)
        return HPROF_LONG;
    if (left >= 4)
        return HPROF_INT;
    return left >= 2 ? HPROF_SHORT : HPROF_BYTE;
}

const char *const offset_names[OFFSETS] = {"annotationDataOffset", "annotationTypeOffset"};

uint64_t class_offset_count(const struct heap_class *class_of)
{
    return class_of->has_offsets ? OFFSETS : 0;
}

uint64_t class_static_count(const struct heap_class *class_of)
{
    uint64_t room = HPROF_FIELDS_MOST - class_offset_count(class_of);
    return class_of->static_count < room ? class_of->static_count : room;
}

uint64_t class_filler_count(const struct heap_class *class_of)
{
    uint64_t filler = class_of->is_array ? 0 : class_filler(class_of);
    return filler / 8 + (unsigned)__builtin_popcountll(filler % 8);
}

uint64_t class_instance_bytes(const struct heap_class *class_of)
{
    return class_field_count(class_of) * HPROF_ID + class_filler(class_of);
}

uint64_t class_instance_size(const struct heap_class *class_of)
{
    return HPROF_OBJECT_HEADER + class_field_count(class_of) * HPROF_REFERENCE +
           class_filler(class_of);
}

/* Bytes of the record of a class and of each of its fields, without those of the value. */
enum { CLASS_RECORD = U1 + 7 * HPROF_ID + 2 * U4 + 3 * U2, FIELD_RECORD = HPROF_ID + U1 };

uint64_t class_record_bytes(const struct heap_class *class_of)
{
    uint64_t statics = class_static_count(class_of) + class_offset_count(class_of);
    return CLASS_RECORD + statics * (FIELD_RECORD + HPROF_ID) +
           (class_field_count(class_of) + class_filler_count(class_of)) * FIELD_RECORD;
}
