/* SPDX-License-Identifier: MIT */
/* Compares an oracle with its trace: what it frees too early, too late, or never. The report is
 * a document. */
#ifndef ETMERLIN_REPORT_CHECK_CHECK_H
#define ETMERLIN_REPORT_CHECK_CHECK_H

#include "heap/frames.h"
#include "merlin/death_pairing.h"
#include "report/check/oracle_rows.h"
#include "report/figures.h"
#include "report/form/common.h"
#include "trace/batch.h"

/* The allocations of the trace, with which rows are compared. */

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

/* How the oracle treats an allocation. */
enum check_verdict {
    VERDICT_ON_TIME, /* freed at the first allocation after its last use */
    VERDICT_LATE,    /* freed at a later one */
    VERDICT_NEVER,   /* not freed before the end */
    VERDICT_EARLY,   /* freed before a record that uses it */
    VERDICT_MISSING, /* without a row */
    VERDICTS
};

/* How much later objects are freed than they could be. */
struct lateness {
    struct distribution allocations;
    struct distribution bytes; /* that are allocated in between */
};

/* The bytes of live objects, after each allocation. */
struct live_bytes {
    uint64_t peak;
    wide_sum sum;
};

struct check_figures {
    uint64_t verdicts[VERDICTS]; /* allocations of each */
    uint64_t faults[ROW_FAULTS]; /* rows with each */
    struct lateness late;        /* of VERDICT_LATE */
    struct lateness never;       /* of VERDICT_NEVER: to the end */
    struct live_bytes freed;     /* as the oracle frees */
    struct live_bytes least;     /* if each object is freed on time */
};

struct check {
    const struct traced *traced;
    const struct proof *uses; /* by the number of the allocation among all */
    const struct matching *matching;
    struct check_figures figures;
};

/* Checks the oracle. `uses` are the last uses of all allocations of the trace, prior objects
 * included, in their order. `traced`, `uses` and `matching` must outlive *check, which owns
 * nothing. */
enum status check_oracle_matches(struct check *check, const struct traced *traced,
                                 const struct proof *uses, const struct matching *matching,
                                 struct failure *why) MUST_CHECK;

/* Whether nothing is freed too early, each allocation has a row, and no row has a fault. An
 * object that is freed late or never is no fault: it only costs memory. */
bool check_is_clean(const struct check *check);

/* Allocations and rows with faults. */
uint64_t check_faulty_allocations(const struct check *check);

/* The report on one allocation. Lines are 0 where there is none. */
struct check_oracle_row {
    enum check_verdict verdict;
    uint64_t oracle_line; /* of the row that frees it; if none does, of its row */
    uint64_t line;        /* of the allocation, in the trace */
    uint64_t object;
    /* Of the record or allocation before which it is freed, in the trace. */
    uint64_t freed_line;
    uint64_t used_line; /* of its last use, in the trace */
};

/* The row of allocation number `allocation`, from 0. */
struct check_oracle_row check_oracle_row(const struct check *check, size_t allocation);

/* What the trace was checked against. */
struct check_names {
    const char *oracle;
    const char *lifetimes; /* the trace's format, if it records no uses; else NULL */
};

/* Prints the report, with at most `show` allocations and `show` rows that have faults;
 * etmerlin-reports(5) has the keys. */
void check_print(struct print *print, enum report_format format, const struct check *check,
                 const struct check_names *names, const struct trace_origin *origin,
                 uint64_t show);

#endif
