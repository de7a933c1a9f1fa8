/* SPDX-License-Identifier: MIT */
/* The allocations of a trace, and the lines of its records: what the rows of an oracle are
 * compared with. */
#ifndef ETMERLIN_REPORT_CHECK_TRACED_H
#define ETMERLIN_REPORT_CHECK_TRACED_H

#include "base/status.h"
#include "trace/batch.h"
#include "trace/line_map.h"

#include <stddef.h>
#include <stdint.h>

struct traced_allocation {
    size_t number;   /* among the allocations of the heap, which include prior objects */
    uint64_t object; /* id */
    uint64_t record; /* its number from 1, deaths not counted */
    uint64_t bytes;  /* allocated so far, its own included */
};

/* Zero-initialize it; traced_free ends it. */
struct traced {
    /* In the order of the trace, without prior objects (trace/record.h), which no oracle has.
     */
    struct traced_allocation *allocations;
    size_t passed; /* allocations, prior objects included */
    size_t count;
    size_t capacity;
    struct line_map lines; /* of all records but deaths */
};

/* Adds the records of `batch`. STATUS_LIMIT: 2^64 bytes or more are allocated. */
enum status traced_add(struct traced *traced, const struct batch *batch,
                       struct failure *why) MUST_CHECK;

/* The bytes of the first `count` allocations together. */
uint64_t traced_bytes(const struct traced *traced, size_t count);

/* The size of allocation number `allocation`, from 0. */
uint64_t traced_size(const struct traced *traced, size_t allocation);

/* The line of allocation number `allocation`, from 0. */
uint64_t traced_line(const struct traced *traced, size_t allocation);

/* The number of allocations among the first `records` records. */
size_t traced_made(const struct traced *traced, uint64_t records);

void traced_free(struct traced *traced);

#endif
