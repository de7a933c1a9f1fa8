/* SPDX-License-Identifier: MIT */
/* A reader turns an input into batches of records. */
#ifndef ETMERLIN_TRACE_READER_H
#define ETMERLIN_TRACE_READER_H

#include "trace/batch.h"
#include "trace/names.h"
#include "trace/reader_class.h"
#include "trace/trace_mark.h"

#include <stdbool.h>

/* Which records a second reading of an input delivers: some of the boundaries, and all deaths.
 */
struct boundary_filter {
    /* Returns the next boundary that is wanted, counted from 1: a larger number with each call,
     * UINT64_MAX in the end. It may be called in another thread than that of the reader's user,
     * and must not share with it anything that changes. */
    uint64_t (*next)(void *context);
    void *context;
};

/* How far a filter has come. */
struct filtering {
    const struct boundary_filter *filter; /* NULL: all records are wanted */
    uint64_t boundaries;                  /* so far */
    uint64_t wanted;                      /* the boundary that the filter wants next */
};

/* Starts before the first record. `filter` may be NULL; otherwise it must outlive what is
 * returned. */
static inline struct filtering filtering_begin(const struct boundary_filter *filter)
{
    return (struct filtering){.filter = filter,
                              .wanted = filter ? filter->next(filter->context) : 0};
}

/* Whether the filter, which is not NULL, lets the next record through; `kind` is its kind. */
static inline bool filtering_wants(struct filtering *filtering, unsigned kind)
{
    const struct boundary_filter *filter = filtering->filter;
    if (kind == RECORD_DEATH)
        return true;
    if (!record_is_boundary(kind) || ++filtering->boundaries != filtering->wanted)
        return false;
    filtering->wanted = filter->next(filter->context);
    return true;
}

/* The first member of the reader of each class. */
struct reader {
    const struct reader_class *methods;
    struct filtering filtering; /* for classes without rewind_filtered */
    const char *name;           /* of the input, for messages */
    bool explicit_time;         /* records carry their own time and have no threads */
    /* Of the ids in its records, as far as it has been read; NULL: the format has none. */
    const struct names *names;
    struct trace_mark mark; /* what the comments at the beginning of the trace say */
    /* After the whole trace has been read: why it is not complete, as the end of a sentence
     * that begins with "The trace is unfinished: "; NULL: it seems to be complete. */
    const char *unfinished;
    /* After the whole trace has been read: its tracer states that it is whole, up to the end of
     * the program or of what was to be traced. */
    bool is_whole;
    /* The user of the reader sets it: lines about reference objects are delivered, too. */
    bool delivers_references;
    bool has_records; /* a record has been read */
    bool has_unknown; /* a line has been read that looks like a record of no known kind */
    /* The failure that comes after the last batch; STATUS_OK: none. */
    struct failure failure;
};

/* Fills `batch` with the next records. STATUS_END: there are no more, and the batch is empty.
 * STATUS_SYNTAX: the input is bad at the line that *why names; the records before that line
 * have been delivered. The contents of the batch stay until it is filled again. */
enum status reader_next(struct reader *reader, struct batch *batch,
                        struct failure *why) MUST_CHECK;

/* Starts again at the first record. With a filter, which must outlive the use of the reader,
 * batches have only the boundaries that it wants and all deaths, and only the kind, begin, end
 * and line of these records. NULL: all records, with all their fields. */
void reader_rewind(struct reader *reader, const struct boundary_filter *filter);

/* Starts again at the first record of a trace that has been read in full before. It delivers
 * all allocations and deaths, with all their fields. Boundaries have at least their kind,
 * thread or time, begin, end and line. So do other records, but those with the thread or time
 * of the record before may be left out. */
void reader_skim(struct reader *reader);

/* A digest of all bytes read since the reader was opened or rewound. */
uint64_t reader_digest(const struct reader *reader);

/* To be called after another reading of a trace that has been read in full before, which ended
 * with `status`. Returns `status`, or STATUS_MEANING if the trace has been changed since: it is
 * malformed now, or its digest is not `digest`, that of the reading before. */
enum status reader_check(const struct reader *reader, enum status status, uint64_t digest,
                         struct failure *why) MUST_CHECK;

/* Sets *why (STATUS_SYNTAX) to what is wrong with a malformed line of `batch`. */
void reader_explain(const struct reader *reader, const struct batch *batch,
                    const struct record *record, struct failure *why);

/* Something that the format does not define, and what the reader made of it. */
struct remark {
    const char *text; /* what it was, and what was made of it, without a full stop */
    uint64_t count;   /* how often it was met */
    bool once;        /* it is about the whole trace: the count is 0 or 1 */
};

/* The remarks on what has been read since the reader was opened or rewound; sets *count to
 * their number. They are valid until the reader is used again. */
const struct remark *reader_remarks(const struct reader *reader, size_t *count);

/* NULL is allowed. */
void reader_close(struct reader *reader);

#endif
