/* SPDX-License-Identifier: MIT */
/* What the tracer of a trace left out, as far as the trace shows it: counted while the trace is
 * read, as a document, and as a list for reports that show it among other things. */
#ifndef ETMERLIN_REPORT_ADVISE_ADVICE_H
#define ETMERLIN_REPORT_ADVISE_ADVICE_H

#include "heap/frames.h"
#include "heap/objects.h"
#include "report/form/common.h"
#include "report/lives/live.h"
#include "report/report.h"
#include "trace/batch.h"
#include "trace/trace_mark.h"

/* What the trace says about a kind of record. */
enum advice_verdict {
    ADVICE_RECORDED,
    ADVICE_MISSING,
    ADVICE_UNCLEAR /* the trace does not show it */
};

/* The kinds of records that a tracer may leave out, the most important first. */
enum advice_kind {
    ADVICE_CONSTRUCTORS,
    ADVICE_READS,
    ADVICE_LIBRARIES,
    ADVICE_ELEMENTS,
    ADVICE_EXCEPTIONS,
    ADVICE_LOCALS,
    ADVICE_ALLOCATIONS,
    ADVICE_COUNT
};

/* Objects older than the trace do not count: what they have was done before it. */
struct advice_counts {
    uint64_t reads;          /* W */
    uint64_t fieldless;      /* W without the class of a field: 0 */
    uint64_t exits;          /* E and X that match a frame */
    uint64_t exits_after_w;  /* of these: right after a W that is not of the receiver */
    uint64_t exceptions;     /* X */
    uint64_t throws;         /* T and H */
    uint64_t abandoned;      /* frames */
    uint64_t arrays;         /* A */
    uint64_t element_stores; /* U with an array as the container */
    uint64_t read_objects;   /* named by a W after their allocation */
    uint64_t read_first;     /* of these: no U had stored into them */
    uint64_t unstored;       /* of these: nor ever into any object of their type */
    uint64_t first_fields;   /* pairs of a type and the field that was stored first in an object
                                of it */
    /* Of these: at least once stored before anything else named the object. */
    uint64_t constructed;
    uint64_t allocated;       /* objects */
    uint64_t never_allocated; /* objects that are named */
    uint64_t named_first;     /* objects named before their allocation */
    struct longest_tick longest_tick;
    enum trace_level level; /* the level at which ettrace recorded */
};

struct advice;

/* The caller owns *out (advice_free). With `explicit_time`, all records belong to one thread.
 * `level`: the level of ettrace that the trace names. */
enum status advice_new(struct advice **out, bool explicit_time, enum trace_level level,
                       struct failure *why) MUST_CHECK;

/* Adds the records of `batch`. */
enum status advice_add(struct advice *advice, const struct batch *batch,
                       struct failure *why) MUST_CHECK;

/* The number of objects that records have named so far. */
size_t advice_objects(const struct advice *advice);

/* The counts, after the last record. */
struct advice_counts advice_count(const struct advice *advice);

/* The verdict on one kind of record. */
enum advice_verdict advice_verdict_of(const struct advice_counts *counts,
                                      enum advice_kind kind);

/* NULL is allowed. */
void advice_free(struct advice *advice);

/* Prints the advice as a document; etmerlin-reports(5) has the keys. */
void advice_print(struct print *print, enum report_format format,
                  const struct trace_origin *origin, const struct advice_counts *counts);

/* Puts the verdicts of a struct advice_counts as a list "advice" of the data of the page: the
 * key of each kind of records, what they are, the verdict on them, and what their absence does.
 */
void advice_put_list(struct form *form, const void *subject);

/* What --advise says of a run, found while the run is read. Zero-initialize it; run_advice_free
 * ends it. */
struct run_advice {
    struct advice *advice; /* NULL: it has not begun, or is finished */
    struct advice_counts counts;
    struct form_part list; /* from run_advice_finish on */
};

/* The next records of the trace, which must have records of more than lifetimes. */
enum status run_advice_read(struct run_advice *run, const struct report_material *material,
                            const struct batch *batch, struct failure *why) MUST_CHECK;

/* There are no more records: makes the list, unless there were none, and releases what it took.
 */
void run_advice_finish(struct run_advice *run);

/* Makes it zero again. */
void run_advice_free(struct run_advice *run);

#endif
