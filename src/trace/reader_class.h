/* SPDX-License-Identifier: MIT */
/* What a format provides so that its traces can be read: one class of readers. How it is asked
 * to read them, and what it can report besides records, come first. */
#ifndef ETMERLIN_TRACE_READER_CLASS_H
#define ETMERLIN_TRACE_READER_CLASS_H

#include "base/status.h"
#include "trace/batch.h"

#include <stdbool.h>
#include <stdint.h>

struct boundary_filter;
struct reader;
struct remark;
struct source;

/* What the last field of an Elephant Tracks record is (etmerlin-formats(5), "Two dialects"). */
enum dialect { DIALECT_AUTO, DIALECT_THREAD, DIALECT_TIME };

/* The order of the fields of an Elephant Tracks update: container, value, field; or value,
 * field, container, as tracers of the second generation write them. */
enum update_order { UPDATE_ORDER_AUTO, UPDATE_ORDER_CONTAINER, UPDATE_ORDER_VALUE };

enum byte_order { BYTE_ORDER_AUTO, BYTE_ORDER_BIG, BYTE_ORDER_LITTLE };

/* How an input is to be read. */
struct reader_options {
    const char *format;   /* the name of a reader_class; NULL: detected */
    enum dialect dialect; /* DIALECT_AUTO: detected */
    /* UPDATE_ORDER_AUTO: container, value, field; but what looks like the other order is
     * refused. */
    enum update_order update_order;
    bool lenient;          /* pass over malformed lines and count them */
    bool deaths_from_free; /* take frees for deaths, where a format distinguishes frees by a
                              collector */
    /* Lenient, and also make records of malformed and unknown lines, and do not check whether
     * time goes backwards. */
    bool keep_others;
    enum byte_order byte_order; /* of HATF, which does not record it; BYTE_ORDER_AUTO: detected,
                                   and big-endian if that fails */
    const char *type_sizes; /* file with the sizes of types for SELogger, which does not record
                               them; NULL: there is none */
    /* SELogger: take what a load finds in a field, an object or null, as stored there. */
    bool loads_as_updates;
    /* SELogger: objects that are passed to an object of a library are stored in it. */
    bool escape_edges;
};

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

/* What happens to objects in a trace whose format has calls and frees with times of its own.
 * Records leave these times out. */
enum moment_kind {
    MOMENT_ALLOCATED, /* object, of type */
    MOMENT_ENTERED,   /* a method of object */
    MOMENT_LEFT,      /* a call is left, or still open at the end */
    MOMENT_ABANDONED, /* a call is gone since an unknown moment: an outer one is left */
    MOMENT_FREED,     /* object, freed by the collector */
    MOMENT_ENDED,     /* the end of the program; more may follow */
    MOMENT_OTHER      /* nothing happens to an object */
};

/* Fields that a kind does not have are unspecified. */
struct moment {
    enum moment_kind kind;
    int64_t time;    /* as in the trace */
    uint64_t object; /* its id */
    uint64_t serial; /* of the object: from 1, in the order in which objects begin; 0: none */
    uint64_t type;
    bool constructor; /* the method is one */
};

/* Called for each moment; anything but STATUS_OK ends the reading. */
typedef enum status (*moment_visitor)(void *context, const struct moment *moment,
                                      struct failure *why);

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
