/* SPDX-License-Identifier: MIT */
/* What a format provides so that its traces can be read: one class of readers. */
#ifndef ETMERLIN_TRACE_READER_CLASS_H
#define ETMERLIN_TRACE_READER_CLASS_H

#include "base/status.h"
#include "trace/batch.h"
#include "trace/filter.h"
#include "trace/moments.h"

#include <stdbool.h>

struct reader;
struct reader_options;
struct remark;
struct source;

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
    /* Adds what comes next to an empty batch, as reader_next describes, but that a failure may
     * come with the records before it. */
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
     * record calls and frees with their times. */
    enum status (*moments)(struct reader *reader, moment_visitor see, void *context,
                           struct failure *why);
    /* See reader_remarks; NULL: nothing to remark. */
    const struct remark *(*remarks)(const struct reader *reader, size_t *count);
};

#endif
