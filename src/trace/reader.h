/* A reader turns an input into batches of records. Each format has one class of
 * readers. */
#ifndef ETMERLIN_TRACE_READER_H
#define ETMERLIN_TRACE_READER_H

#include "base/status.h"
#include "io/source.h"
#include "trace/batch.h"
#include "trace/names.h"

#include <stdbool.h>

/* What the last field of an Elephant Tracks record is (et-trace.md, "Two dialects"). */
enum dialect { DIALECT_AUTO, DIALECT_THREAD, DIALECT_TIME };

struct reader_options {
    const char *format;    /* the name of a reader_class; NULL: find out */
    enum dialect dialect;  /* DIALECT_AUTO: find out */
    bool lenient;          /* pass over malformed lines and count them */
    bool deaths_from_free; /* take frees for deaths, where a format tells of frees by a
                              collector */
    bool keep_others; /* lenient, and make records of what is malformed or unknown, too; do not
                         look at whether time goes backwards */
    bool little_endian; /* of HATF, which does not tell */
};

/* Which boundaries a second reading stops at, when the input has been read in full before. */
struct boundary_filter {
    /* The next boundary that is wanted, counted from 1; each call gives a larger number,
     * UINT64_MAX in the end. It may be called in another thread than the reader's user is in,
     * and must not share with it what changes. */
    uint64_t (*next)(void *context);
    void *context;
    bool allocations; /* all records that allocate are wanted, too */
};

/* Something that the format does not explain, and that the reader has dealt with in some way.
 */
struct remark {
    const char *text; /* what it was, and what was made of it; no full stop */
    uint64_t count;   /* how often; 0: it was not met */
    bool once;        /* it is something about the whole trace: the count is 0 or 1 */
};

struct reader;

struct reader_class {
    const char *name;     /* of the format */
    bool holds_lifetimes; /* allocations and deaths, but nothing that deaths could be
                             computed from */
    /* How sure the class is, from 0 (not my format) to 100, that input which starts with the
     * `length` bytes at `head` is in its format. */
    int (*bid)(const char *head, size_t length);
    /* Makes a reader of `source`, which must outlive it. */
    enum status (*open)(struct reader **out, struct source *source,
                        const struct reader_options *options, struct failure *why);
    enum status (*next)(struct reader *reader, struct batch *batch, struct failure *why);
    void (*rewind)(struct reader *reader, const struct boundary_filter *filter);
    void (*skim)(struct reader *reader); /* NULL: reader_skim is no faster than reading all */
    uint64_t (*digest)(const struct reader *reader);
    void (*explain)(const struct reader *reader, const struct batch *batch,
                    const struct record *record,
                    struct failure *why); /* NULL: no record is ever malformed */
    void (*close)(struct reader *reader);
    /* See reader_remarks; NULL: nothing to remark. */
    const struct remark *(*remarks)(const struct reader *reader, size_t *count);
};

/* What each class's reader begins with. */
struct reader {
    const struct reader_class *class;
    const char *name;   /* of the input, for messages */
    bool explicit_time; /* records carry their own time and have no threads */
    bool
        tells_frees; /* of objects by a collector, which are deaths only if that is asked for */
    const struct names *names; /* of the ids in its records, as far as they have been read;
                                  NULL: the format has none */
};

/* Fills `batch` with what comes next. STATUS_END: nothing is left, the batch is
 * empty. STATUS_SYNTAX: the input is bad at the line that *why names. Contents of the batch
 * stay until it is filled again. */
static inline enum status MUST_CHECK reader_next(struct reader *reader, struct batch *batch,
                                                 struct failure *why)
{
    return reader->class->next(reader, batch, why);
}

/* Starts again at the first record. With a filter, which must stay as long as the
 * reader is used, batches have only the boundaries that it wants and all deaths, and of these
 * only kind, begin, end and line; and allocations, if it wants them, with all their fields.
 * NULL: all records, with all their fields. */
static inline void reader_rewind(struct reader *reader, const struct boundary_filter *filter)
{
    reader->class->rewind(reader, filter);
}

/* Starts again at the first record of a trace that has been read in full before. All
 * allocations and deaths come, with all their fields. Of boundaries at least kind, thread or
 * time, begin, end and line come; so do the others, but those may be left out that have the
 * thread or time of the record before. */
static inline void reader_skim(struct reader *reader)
{
    if (reader->class->skim)
        reader->class->skim(reader);
    else
        reader->class->rewind(reader, NULL);
}

/* A digest of all bytes read since the reader was opened or rewound. */
static inline uint64_t reader_digest(const struct reader *reader)
{
    return reader->class->digest(reader);
}

/* Records in *why (STATUS_SYNTAX) what is wrong with a malformed line of `batch`. */
static inline void reader_explain(const struct reader *reader, const struct batch *batch,
                                  const struct record *record, struct failure *why)
{
    reader->class->explain(reader, batch, record, why);
}

/* What was met since the reader was opened or rewound; *count is set to how many remarks there
 * are. They are good until the reader is used again. */
static inline const struct remark *reader_remarks(const struct reader *reader, size_t *count)
{
    *count = 0;
    return reader->class->remarks ? reader->class->remarks(reader, count) : NULL;
}

/* NULL is allowed. */
static inline void reader_close(struct reader *reader)
{
    if (reader)
        reader->class->close(reader);
}

#endif
