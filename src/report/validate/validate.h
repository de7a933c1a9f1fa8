/* SPDX-License-Identifier: MIT */
/* Checks whether a trace is well-formed (etmerlin-reports(5)), and takes the figures that
 * its users want to know. */
#ifndef ETMERLIN_REPORT_VALIDATE_VALIDATE_H
#define ETMERLIN_REPORT_VALIDATE_VALIDATE_H

#include "report/figures.h"
#include "report/validate/calls.h"
#include "report/validate/naming.h"
#include "report/validate/seen_objects.h"
#include "report/validate/violations.h"
#include "trace/reader.h"
#include "trace/record_layout.h"

struct validate_figures {
    uint64_t records[RECORD_KINDS]; /* by letter */
    uint64_t events;                /* records of all kinds */
    uint64_t comments;
    uint64_t arrays;        /* allocations of arrays */
    uint64_t objects;       /* other allocations */
    wide_sum bytes;         /* allocated */
    uint64_t prior_objects; /* that were there before the trace: no allocations */
    wide_sum prior_bytes;
    uint64_t deaths;               /* of allocated objects, each counted once */
    uint64_t mentions;             /* of objects, in all records but deaths */
    uint64_t unallocated_mentions; /* of objects that are never allocated */
    uint64_t adopted;              /* objects that are named before their allocation */
    uint64_t first_time;           /* of the clock */
    uint64_t last_time;
    struct distribution lifetimes; /* by the clock, of allocated objects that have a death */
    bool by_position; /* lifetimes end where the deaths stand, not at the times in them */
};

struct validation {
    const struct reader *reader;
    const struct record_layout *layouts[RECORD_KINDS];
    struct finding violations[VIOLATION_COUNT];
    struct finding notes[NOTE_COUNT];
    struct validate_figures figures;
    struct calls calls;
    struct naming naming;
    struct seen_objects *seen_objects;
    uint64_t now;       /* the clock: ticks, or the time of the latest boundary */
    uint64_t time;      /* of the latest record, deaths apart, if records have one */
    bool has_time;      /* there was such a record */
    uint32_t thread;    /* number of that of the latest record */
    bool has_positions; /* a record stands after a death: so deaths are in their order */
    bool times_fit;     /* each death's time is one that the clock had shown */
};

/* Begins to validate what `reader` reads; it keeps malformed and unknown lines, and
 * must outlive *validation. validation_free releases it, also after a failure. */
enum status validation_init(struct validation *validation, const struct reader *reader,
                            struct failure *why) MUST_CHECK;

/* Goes on with the records of `batch`. */
enum status validation_add(struct validation *validation, const struct batch *batch,
                           struct failure *why) MUST_CHECK;

/* To be called after the last batch: finds what only the end shows. */
enum status validation_finish(struct validation *validation, struct failure *why) MUST_CHECK;

/* How many objects the records have named so far. */
uint64_t validation_objects(const struct validation *validation);

void validation_free(struct validation *validation);

#endif
