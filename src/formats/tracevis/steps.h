/* SPDX-License-Identifier: MIT */
/* What happens in a TraceVis trace, step by step, without its gaps: each object begins before
 * it is used, and each exit leaves a frame that is open (etmerlin-formats(5), "Gaps"). */
#ifndef ETMERLIN_FORMATS_TRACEVIS_STEPS_H
#define ETMERLIN_FORMATS_TRACEVIS_STEPS_H

#include "formats/tracevis/event.h"
#include "trace/names.h"
#include "trace/reader.h"

enum step_kind {
    STEP_NOTE,     /* an event that is none of the others, or only causes them: see `event` */
    STEP_ALLOCATE, /* object, type, thread and, if a method is open in it, site */
    STEP_ENTER,    /* the thread enters method, with object as its receiver (0: none) */
    STEP_LEAVE,    /* the frame of a STEP_ENTER is left */
    STEP_THROW,    /* an exception leaves such a frame */
    STEP_ABANDON, /* such a frame is gone since an unknown moment, for an outer frame is left */
    STEP_UNWIND,  /* such a frame is open at the end of the trace */
    STEP_FREE     /* the collector frees object */
};

/* A step. Fields that its kind does not have are unspecified. */
struct step {
    enum step_kind kind;
    const struct tv_event *event; /* that it comes from, good until the next call */
    int64_t time;
    uint64_t thread;
    /* Its id; 0 for a frame whose receiver has lost its id to another object. */
    uint64_t object;
    uint64_t serial; /* of the object: from 1, in the order in which objects begin; 0: none */
    uint64_t type;
    uint64_t method;
    uint64_t site; /* a method; 0: none */
    bool constructor;
};

struct steps;

/* Reads the trace that `source` holds, which must outlive *out. `lenient`: malformed lines are
 * notes, not failures. The caller owns *out (steps_close). */
enum status steps_open(struct steps **out, struct source *source, bool lenient,
                       struct failure *why) MUST_CHECK;

/* Sets *step to the next step. At the end of a trace without the end of the virtual machine,
 * all open frames are unwound first. STATUS_END: there are no more steps. STATUS_SYNTAX: the
 * line that *why names is malformed. */
enum status steps_next(struct steps *steps, struct step *step, struct failure *why) MUST_CHECK;

/* The name, the names, the digest and the failures of the text (tracevis/text.h). */
const char *steps_name(const struct steps *steps);
const struct names *steps_names(const struct steps *steps);
uint64_t steps_digest(const struct steps *steps);
enum status steps_explain(const struct steps *steps, uint64_t line, struct failure *why);

/* After the end has been reached: why the trace is unfinished, as in reader->unfinished; NULL:
 * it is not. */
const char *steps_unfinished(const struct steps *steps);

/* Remarks about the steps since the start, complete once the end has been reached: see
 * reader_remarks. */
const struct remark *steps_remarks(struct steps *steps, size_t *count);

/* Starts again at the first step. */
void steps_rewind(struct steps *steps);

/* NULL is allowed. */
void steps_close(struct steps *steps);

#endif
