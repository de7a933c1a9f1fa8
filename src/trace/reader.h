/* SPDX-License-Identifier: MIT */
/* A reader turns an input into batches of records. */
#ifndef ETMERLIN_TRACE_READER_H
#define ETMERLIN_TRACE_READER_H

#include "trace/names.h"
#include "trace/reader_class.h"
#include "trace/trace_mark.h"

/* What each class's reader begins with. */
struct reader {
    const struct reader_class *methods;
    struct filtering filtering; /* of a class without rewind_filtered */
    const char *name;           /* of the input, for messages */
    bool explicit_time;         /* records carry their own time and have no threads */
    const struct names *names;  /* of the ids in its records, as far as they have been read;
                                   NULL: the format has none */
    struct trace_mark mark;     /* what the comments say that the trace begins with */
    const char *unfinished;     /* after a reading in full: why the trace is not whole, to be
                                   said after "the trace is unfinished: "; NULL: it seems to be */
    bool has_records;           /* some have been read */
    struct failure failure;     /* after the batch before; STATUS_OK: none */
};

/* Fills `batch` with what comes next. STATUS_END: nothing is left, the batch is
 * empty. STATUS_SYNTAX: the input is bad at the line that *why names; the records before that
 * line have been given. Contents of the batch stay until it is filled again. */
enum status reader_next(struct reader *reader, struct batch *batch,
                        struct failure *why) MUST_CHECK;

/* Starts again at the first record. With a filter, which must stay as long as the
 * reader is used, batches have only the boundaries that it wants and all deaths, and of these
 * only kind, begin, end and line. NULL: all records, with all their fields. */
void reader_rewind(struct reader *reader, const struct boundary_filter *filter);

/* Starts again at the first record of a trace that has been read in full before. All
 * allocations and deaths come, with all their fields. Of boundaries at least kind, thread or
 * time, begin, end and line come; so do the others, but those may be left out that have the
 * thread or time of the record before. */
void reader_skim(struct reader *reader);

/* A digest of all bytes read since the reader was opened or rewound. */
uint64_t reader_digest(const struct reader *reader);

/* Records in *why (STATUS_SYNTAX) what is wrong with a malformed line of `batch`. */
void reader_explain(const struct reader *reader, const struct batch *batch,
                    const struct record *record, struct failure *why);

/* Something that the format does not explain, and that the reader has dealt with in some way.
 */
struct remark {
    const char *text; /* what it was, and what was made of it; no full stop */
    uint64_t count;   /* how often; 0: it was not met */
    bool once;        /* it is something about the whole trace: the count is 0 or 1 */
};

/* What was met since the reader was opened or rewound; *count is set to how many remarks there
 * are. They are good until the reader is used again. */
const struct remark *reader_remarks(const struct reader *reader, size_t *count);

/* NULL is allowed. */
void reader_close(struct reader *reader);

#endif
