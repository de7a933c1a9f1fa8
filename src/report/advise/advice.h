/* SPDX-License-Identifier: MIT */
/* What the tracer of a trace left out, as far as in the trace, and what that does to the
 * deaths that are computed from it. The shares of what is early are those of an experiment with
 * a real collector (etmerlin-deaths(7)). */
#ifndef ETMERLIN_REPORT_ADVISE_ADVICE_H
#define ETMERLIN_REPORT_ADVISE_ADVICE_H

#include "heap/frames.h"
#include "heap/objects.h"
#include "trace/batch.h"
#include "trace/trace_mark.h"

/* What the trace says of each kind of record that may be left out. */
enum advice_verdict {
    ADVICE_RECORDED,
    ADVICE_MISSING,
    ADVICE_UNCLEAR /* the trace does not show it */
};

/* What may be left out, in the order of what it is worth. */
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

struct advice_counts {
    uint64_t reads;          /* W */
    uint64_t fieldless;      /* W without the class of a field: 0 */
    uint64_t exits;          /* E and X that leave a frame */
    uint64_t exits_after_w;  /* of these: after a W of another object than the receiver */
    uint64_t exceptions;     /* X */
    uint64_t throws;         /* T and H */
    uint64_t abandoned;      /* frames */
    uint64_t arrays;         /* A */
    uint64_t element_stores; /* U with an array as the container */
    uint64_t read_objects;   /* allocated before a W of them */
    uint64_t read_first;     /* of these: no U stored into them before */
    uint64_t unstored;       /* of these: nor into any object of their type, ever */
    uint64_t first_fields;   /* pairs of a type and what is first stored into an object of it */
    uint64_t constructed;    /* of these: once before all else that names the object */
    uint64_t allocated;      /* objects */
    uint64_t never_allocated; /* objects that are named */
    uint64_t named_first;     /* objects named before their allocation */
    enum trace_level level;   /* what ettrace says that it recorded */
};

struct advice;

/* The caller owns *out (advice_free). With `explicit_time`, all records share one thread. The
 * trace says that it was recorded at `level`. */
enum status advice_new(struct advice **out, bool explicit_time, enum trace_level level,
                       struct failure *why) MUST_CHECK;

/* Goes on with the records of `batch`. */
enum status advice_add(struct advice *advice, const struct batch *batch,
                       struct failure *why) MUST_CHECK;

/* How many objects there are so far. */
size_t advice_objects(const struct advice *advice);

/* After the last record: what there was. */
struct advice_counts advice_count(const struct advice *advice);

/* The verdict on one kind of record. */
enum advice_verdict advice_verdict_of(const struct advice_counts *counts,
                                      enum advice_kind kind);

/* NULL is allowed. */
void advice_free(struct advice *advice);

#endif
