/* SPDX-License-Identifier: MIT */
/* The contents of the record of each allocation, by its number from 0, for reports: 17 bytes
 * each. */
#ifndef ETMERLIN_MERLIN_ALLOCATION_RECORDS_H
#define ETMERLIN_MERLIN_ALLOCATION_RECORDS_H

#include "base/narrow.h"
#include "trace/record.h"

/* Zero-initialize it; allocation_records_free ends it. */
struct allocation_records {
    struct narrow types;
    struct narrow sites;
    struct narrow lengths;
    struct narrow lines; /* of the input */
    uint8_t *kinds;      /* enum record_kind */
    size_t kind_capacity;
};

/* Adds the next allocation, whose record is `record`, in line `line` of the input. */
enum status allocation_records_add(struct allocation_records *records,
                                   const struct record *record, uint64_t line,
                                   struct failure *why) MUST_CHECK;

void allocation_records_free(struct allocation_records *records);

#endif
