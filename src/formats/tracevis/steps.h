/* SPDX-License-Identifier: MIT */
/* What happens in a TraceVis trace, step by step, its gaps mended: each object begins before it
 * is used, each exit leaves a frame that is open (etmerlin-formats(5), "Gaps"). */
#ifndef ETMERLIN_FORMATS_TRACEVIS_STEPS_H
#define ETMERLIN_FORMATS_TRACEVIS_STEPS_H

#include "formats/tracevis/event.h"
#include "trace/names.h"
#include "trace/reader.h"

enum step_kind {
    STEP_NOTE,     /* an event that is none of the others, or only causes them: see `event` */
    STEP_ALLOCATE, /* object, type, thread and, if a method is open there, its site */
    STEP_ENTER,    /* method of thread, with object as its receiver (0: none) */
    STEP_LEAVE,    /* the same frame is left */
    STEP_THROW,    /* an exception leaves the same frame */
    STEP_ABANDON,  /* the same frame is gone, since an unknown moment: an outer one is left */
    STEP_UNWIND,   /* the same frame is open at the end */
    STEP_FREE      /* object is freed by the collector */
};

/* Fields that a kind does not have are unspecified. */
struct step {
    enum step_kind kind;
    const struct tv_event *event; /* that it comes from; good until the next call */
    int64_t time;
    uint64_t thread;
    /* Its id; of a frame whose receiver has lost its id to another object: 0. */
    uint64_t object;
    uint64_t serial; /* of the object: from 1, in the order in which objects begin; 0: none */
    uint64_t type;
    uint64_t method;
    uint64_t site; /* a method, or 0 */
    bool constructor;
};

struct steps;

/* Reads the trace that `source` holds, which must outlive *out. `lenient`: malformed lines are
 * notes, not failures. The caller owns *out (steps_close). */
enum status steps_open(struct steps **out, struct source *source, bool lenient,
                       struct failure *why) MUST_CHECK;

/* Sets *step to the next step. STATUS_END: there is none; at the end of a trace that has no
 * end of the virtual machine, the frames that are open have been unwound. STATUS_SYNTAX: the
 * line that *why names is malformed. */
enum status steps_next(struct steps *steps, struct step *step, struct failure *why) MUST_CHECK;

/* The name, names, digest and failures of the text (tracevis/text.h). */
const char *steps_name(const struct steps *steps);
const struct names *steps_names(const struct steps *steps);
uint64_t steps_digest(const struct steps *steps);
enum status steps_explain(const struct steps *steps, uint64_t line, struct failure *why);

/* At the end: why the trace is unfinished, as reader->unfinished says. */
const char *steps_unfinished(const struct steps *steps);

/* What was met since the start, in full once the end has been reached: see reader_remarks. */
const struct remark *steps_remarks(struct steps *steps, size_t *count);

/* Starts again at the first step. */
void steps_rewind(struct steps *steps);

/* NULL is allowed. */
void steps_close(struct steps *steps);

#endif
