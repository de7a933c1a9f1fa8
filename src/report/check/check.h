/* SPDX-License-Identifier: MIT */
/* Compares an oracle with its trace: what it frees too early, too late, or never. The report is
 * a document. */
#ifndef ETMERLIN_REPORT_CHECK_CHECK_H
#define ETMERLIN_REPORT_CHECK_CHECK_H

#include "merlin/death_pairing.h"
#include "report/check/matching.h"
#include "report/figures.h"
#include "report/form/common.h"

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
