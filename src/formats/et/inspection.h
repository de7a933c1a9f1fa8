/* SPDX-License-Identifier: MIT */
/* What must be known of a trace before it is read, because its records do not say it: whether
 * it is a trace, its dialect (etmerlin-formats(5), "Two dialects"), and the order of the fields
 * of an update. Input that is not in this format at all is also recognised here. */
#ifndef ETMERLIN_FORMATS_ET_INSPECTION_H
#define ETMERLIN_FORMATS_ET_INSPECTION_H

#include "trace/reader.h"
#include "trace/reader_class.h"

#include <stddef.h>

/* See reader_class.bid: 1, the lowest bid, for what may be a trace, and for what resembles a
 * trace but is refused by name (a relative); 0 if the head has more than blank lines and
 * comments, and no line has the form of a record. */
int et_bid(const char *head, size_t length);

/* What the boundaries so far show about the dialect. Zero-initialize it. */
struct dialect_evidence {
    unsigned boundaries;
    uint64_t last;        /* the last field of the latest boundary */
    unsigned counted;     /* boundaries at the beginning whose last fields count up by one */
    uint64_t broken_line; /* the line of the first that does not; 0: none */
};

enum dialect dialect_decide(const struct dialect_evidence *evidence);

/* Whether last fields counted up as times do and then stopped, so that they are taken for
 * threads, though threads seldom look like that. */
bool dialect_breaks_off(const struct dialect_evidence *evidence);

/* Reads the beginning of a trace from `reader`, sets *evidence to what the boundaries show, and
 * rewinds the reader. The reader must keep lines that are no records and read last fields as
 * threads and, if options->update_order is UPDATE_ORDER_AUTO, updates as container, value,
 * field. STATUS_MEANING: the trace is a relative of the format and options->lenient is false,
 * or the order is UPDATE_ORDER_AUTO and updates turn out to be value, field, container. */
enum status et_inspect(struct reader *reader, const struct reader_options *options,
                       struct dialect_evidence *evidence, struct failure *why) MUST_CHECK;

#endif
