/* A reader turns an input into batches of records. Each format has one class of
 * readers. */
#ifndef ETMERLIN_TRACE_READER_H
#define ETMERLIN_TRACE_READER_H

#include "base/status.h"
#include "io/source.h"
#include "trace/batch.h"
#include "trace/filter.h"
#include "trace/moments.h"
#include "trace/names.h"

#include <stdbool.h>

/* What the last field of an Elephant Tracks record is (et-trace.md, "Two dialects"). */
enum dialect { DIALECT_AUTO, DIALECT_THREAD, DIALECT_TIME };

/* The order of the fields of an Elephant Tracks update: container, value and field, or, as
 * tracers of the second generation write them, value, field and container. */
enum update_order { UPDATE_ORDER_AUTO, UPDATE_ORDER_CONTAINER, UPDATE_ORDER_VALUE };

enum byte_order { BYTE_ORDER_AUTO, BYTE_ORDER_BIG, BYTE_ORDER_LITTLE };

struct reader_options {
    const char *format;             /* the name of a reader_class; NULL: find out */
    enum dialect dialect;           /* DIALECT_AUTO: find out */
    enum update_order update_order; /* UPDATE_ORDER_AUTO: container, value and field, but what
                                       looks like the other order is refused */
    bool lenient;                   /* pass over malformed lines and count them */
    bool deaths_from_free;          /* take frees for deaths, where a format tells of frees by a
                                       collector */
    bool keep_others; /* lenient, and make records of what is malformed or unknown, too; do not
                         look at whether time goes backwards */
    enum byte_order byte_order; /* of HATF, which does not tell; BYTE_ORDER_AUTO: find out, and
                                   big-endian if that fails */
    const char *type_sizes; /* file with the sizes of types for SELogger, which does not tell;
                               NULL: there is none */
    bool loads_as_updates;  /* of SELogger: what a load finds in a field was stored there */
    bool escape_edges; /* of SELogger: what an object of a library is given stays with it */
};

/* Something that the format does not explain, and that the reader has dealt with in some way.
 */
struct remark {
    const char *text; /* what it was, and what was made of it; no full stop */
    uint64_t count;   /* how often; 0: it was not met */
    bool once;        /* it is something about the whole trace: the count is 0 or 1 */
};

struct reader;

/* Fields of reader_options that not every format takes: a set of bits. */
enum reader_takes {
    TAKES_DEATHS_FROM_FREE = 1,
    TAKES_LOADS_AS_UPDATES = 2,
    TAKES_ESCAPE_EDGES = 4,
    TAKES_TYPE_SIZES = 8,
    TAKES_BYTE_ORDER = 16,
    TAKES_DIALECT = 32,
    TAKES_UPDATE_ORDER = 64
};

struct reader_class {
    const char *name;      /* of the format */
    const char *title;     /* what people call it: "SELogger" */
    unsigned takes;        /* enum reader_takes */
    bool passes_malformed; /* malformed lines that are passed over stay in its text */
    bool holds_lifetimes;  /* allocations and deaths, but nothing that deaths could be
                              computed from */
    const char *index; /* the file that stands for a trace which is a folder of files; NULL: a
                          trace is a file */
    const char *const *parts; /* patterns (fnmatch) of the names of these files, up to a NULL */
    /* How sure the class is, from 0 (not my format) to 100, that input which starts with the
     * `length` bytes at `head` is in its format. */
    int (*bid)(const char *head, size_t length);
    /* Makes a reader of `source`, which must outlive it. */
    enum status (*open)(struct reader **out, struct source *source,
                        const struct reader_options *options, struct failure *why);
    enum status (*next)(struct reader *reader, struct batch *batch, struct failure *why);
    /* Starts again at the first record. */
    void (*rewind)(struct reader *reader);
    /* The same, and from now on only what the filter wants comes. NULL: the class knows no
     * faster way to find that than to read all, and reader_next leaves out the rest. */
    void (*rewind_filtered)(struct reader *reader, const struct boundary_filter *filter);
    void (*skim)(struct reader *reader); /* NULL: reader_skim is no faster than reading all */
    uint64_t (*digest)(const struct reader *reader);
    void (*explain)(const struct reader *reader, const struct batch *batch,
                    const struct record *record,
                    struct failure *why); /* NULL: no record is ever malformed */
    void (*close)(struct reader *reader);
    /* Reads all of the trace from its start and shows `see` what happens to objects; then the
     * reader must be rewound. Ends with the first failure of either. NULL: the format does not
     * tell of calls and frees with their times. */
    enum status (*moments)(struct reader *reader, moment_visitor see, void *context,
                           struct failure *why);
    /* See reader_remarks; NULL: nothing to remark. */
    const struct remark *(*remarks)(const struct reader *reader, size_t *count);
};

/* What each class's reader begins with. */
struct reader {
    const struct reader_class *methods;
    struct filtering filtering; /* of a class without rewind_filtered */
    const char *name;           /* of the input, for messages */
    bool explicit_time;         /* records carry their own time and have no threads */
    const struct names *names;  /* of the ids in its records, as far as they have been read;
                                   NULL: the format has none */
};

/* Fills `batch` with what comes next. STATUS_END: nothing is left, the batch is
 * empty. STATUS_SYNTAX: the input is bad at the line that *why names. Contents of the batch
 * stay until it is filled again. */
static inline enum status MUST_CHECK reader_next(struct reader *reader, struct batch *batch,
                                                 struct failure *why)
{
    enum status status = reader->methods->next(reader, batch, why);
    if (status == STATUS_OK && reader->filtering.filter)
        filtering_apply(&reader->filtering, batch);
    return status;
}

/* Starts again at the first record. With a filter, which must stay as long as the
 * reader is used, batches have only the boundaries that it wants and all deaths, and of these
 * only kind, begin, end and line, unless it wants the fields of boundaries; and allocations,
 * if it wants them, with all their fields.
 * NULL: all records, with all their fields. */
static inline void reader_rewind(struct reader *reader, const struct boundary_filter *filter)
{
    bool finds = filter && reader->methods->rewind_filtered;
    reader->filtering = filtering_begin(finds ? NULL : filter);
    if (finds)
        reader->methods->rewind_filtered(reader, filter);
    else
        reader->methods->rewind(reader);
}

/* Starts again at the first record of a trace that has been read in full before. All
 * allocations and deaths come, with all their fields. Of boundaries at least kind, thread or
 * time, begin, end and line come; so do the others, but those may be left out that have the
 * thread or time of the record before. */
static inline void reader_skim(struct reader *reader)
{
    reader->filtering = filtering_begin(NULL);
    if (reader->methods->skim)
        reader->methods->skim(reader);
    else
        reader->methods->rewind(reader);
}

/* A digest of all bytes read since the reader was opened or rewound. */
static inline uint64_t reader_digest(const struct reader *reader)
{
    return reader->methods->digest(reader);
}

/* Records in *why (STATUS_SYNTAX) what is wrong with a malformed line of `batch`. */
static inline void reader_explain(const struct reader *reader, const struct batch *batch,
                                  const struct record *record, struct failure *why)
{
    reader->methods->explain(reader, batch, record, why);
}

/* What was met since the reader was opened or rewound; *count is set to how many remarks there
 * are. They are good until the reader is used again. */
static inline const struct remark *reader_remarks(const struct reader *reader, size_t *count)
{
    *count = 0;
    return reader->methods->remarks ? reader->methods->remarks(reader, count) : NULL;
}

/* NULL is allowed. */
static inline void reader_close(struct reader *reader)
{
    if (reader)
        reader->methods->close(reader);
}

#endif
