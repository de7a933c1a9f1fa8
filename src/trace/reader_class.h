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
    const char *name;  /* of the format */
    const char *title; /* what people call it: "SELogger" */
    unsigned takes;    /* enum reader_takes */
    /* Malformed lines that are passed over stay in the text of batches. */
    bool passes_malformed;
    /* It has allocations and deaths, but nothing that deaths could be computed from. */
    bool holds_lifetimes;
    /* If a trace is a folder of files: the file that it is opened by; NULL: a trace is one
     * file. */
    const char *index;
    const char *const *parts; /* patterns (fnmatch) of the names of these files, up to a NULL */
    /* How sure the class is, from 0 (not its format) to 100, that an input which begins with
     * the `length` bytes at `head` is in its format. */
    int (*bid)(const char *head, size_t length);
    /* Makes a reader of `source`, which must outlive it. */
    enum status (*open)(struct reader **out, struct source *source,
                        const struct reader_options *options, struct failure *why);
    /* Adds the next records to an empty batch, as reader_next describes; but a failure may come
     * together with the records before it. */
    enum status (*next)(struct reader *reader, struct batch *batch, struct failure *why);
    /* Starts again at the first record. */
    void (*rewind)(struct reader *reader);
    /* The same; from then on, only what the filter wants is delivered. NULL: for this class it
     * is no faster than reading everything, and reader_next leaves out the rest. */
    void (*rewind_filtered)(struct reader *reader, const struct boundary_filter *filter);
    void (*skim)(struct reader *reader); /* NULL: reader_skim is no faster than reading all */
    uint64_t (*digest)(const struct reader *reader);
    void (*explain)(const struct reader *reader, const struct batch *batch,
                    const struct record *record,
                    struct failure *why); /* NULL: no record is ever malformed */
    void (*close)(struct reader *reader);
    /* Reads the whole trace from its beginning and passes to `see` what happens to objects.
     * Returns the first failure of reader or visitor. Afterwards the reader must be rewound.
     * NULL: the format does not record calls and frees with times. */
    enum status (*moments)(struct reader *reader, moment_visitor see, void *context,
                           struct failure *why);
    /* See reader_remarks; NULL: nothing to remark. */
    const struct remark *(*remarks)(const struct reader *reader, size_t *count);
};

#endif
