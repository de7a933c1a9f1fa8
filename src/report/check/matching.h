/* SPDX-License-Identifier: MIT */
/* Finds which row of an oracle is about which allocation of the trace, and what is wrong with
 * rows. Rows are compared with the allocations of the trace and the lines of its records. */
#ifndef ETMERLIN_REPORT_CHECK_MATCHING_H
#define ETMERLIN_REPORT_CHECK_MATCHING_H

#include "base/status.h"
#include "heap/frames.h"
#include "report/check/oracle_rows.h"
#include "trace/batch.h"
#include "trace/line_map.h"

#include <stddef.h>
#include <stdint.h>

struct traced_allocation {
    size_t number;   /* among all allocations, prior objects included, from 0 */
    uint64_t object; /* id */
    uint64_t thread; /* id; 0 if the trace has none */
    uint64_t record; /* its number from 1, deaths not counted */
    uint64_t bytes;  /* allocated so far, its own included */
};

/* Zero-initialize it, but for the first member; traced_free ends it. */
struct traced {
    bool explicit_time; /* as in struct reader */
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

/* What is wrong with a row. */
enum row_fault {
    ROW_UNKNOWN,      /* it belongs to no allocation */
    ROW_OTHER_OBJECT, /* the allocation of its number has another id */
    ROW_OTHER_SIZE,   /* the allocation has another size */
    ROW_FREED_TWICE,  /* another row frees the allocation, too */
    ROW_OUT_OF_ORDER, /* events: its allocation was made before that of an earlier row */
    ROW_NO_MOMENT,    /* it frees at an allocation that does not exist */
    ROW_FAULTS
};

struct faulty_row {
    uint64_t line; /* in the oracle */
    uint64_t object;
    enum row_fault fault;
    uint64_t allocation; /* number, from 1; 0: none */
};

/* What the oracle says about an allocation. */
struct oracle_match {
    uint64_t line;      /* of its row, or with events of its alloc row; 0: it has none */
    uint64_t free_line; /* of the row that frees it; 0: none does */
    uint64_t freed_at; /* it is freed just before this allocation, counted from 1; 0: not before
                          the end; events: 1 more than there are: after the last one */
    uint64_t freed_after; /* events, with numbers_records: it is freed after so many records */
};

/* Zero-initialize it; matching_free ends it. */
struct matching {
    enum oracle_form form;
    bool numbers_records; /* events: timestamps number the records of the trace and the free
                             rows */
    uint64_t rows;
    struct oracle_match *matches; /* by allocation */
    struct faulty_row *faulty;
    size_t faulty_count;
    size_t faulty_capacity;
};

/* Reads all rows. `frames` has all threads of the trace. STATUS_SYNTAX: a row is
 * malformed, or counts backwards. STATUS_MEANING: a thread counts backwards, or there are more
 * rows of objects or threads than allocations. */
enum status matching_read(struct matching *matching, struct oracle_rows *rows,
                          const struct traced *traced, const struct frames *frames,
                          struct failure *why) MUST_CHECK;

void matching_free(struct matching *matching);

#endif
