/* SPDX-License-Identifier: MIT */
/* What is to be known of a trace before it is read, because its records do not say it: whether
 * it is one, its dialect (etmerlin-formats(5), "Two dialects"), and the order of an update's
 * fields. What is no trace of this format at all shows here, too. */
#ifndef ETMERLIN_FORMATS_ET_INSPECTION_H
#define ETMERLIN_FORMATS_ET_INSPECTION_H

#include "trace/reader.h"
#include "trace/reader_options.h"

#include <stddef.h>

/* See reader_class.bid: 1, the lowest, for what may be a trace, and for what is like a trace
 * that the reader refuses by name (relatives.h); 0 if there is something at the beginning, and
 * none of it is of the form of a record. */
int et_bid(const char *head, size_t length);

/* What the boundaries so far say. Zero-initialize it. */
struct dialect_evidence {
    unsigned boundaries;
    uint64_t last;        /* field of the latest boundary */
    unsigned counted;     /* boundaries whose last fields count up by one, before any other */
    uint64_t broken_line; /* of the first one that does not go on; 0: none */
};

enum dialect dialect_decide(const struct dialect_evidence *evidence);

/* Whether last fields counted up as times do and then broke off, so that it is the thread
 * dialect: threads seldom look like that. */
bool dialect_breaks_off(const struct dialect_evidence *evidence);

/* Reads the beginning of a trace from `reader`, which must keep lines that are no records and
 * read last fields as threads and, if options->update_order is to be detected, updates as
 * container, value, field; notes what the boundaries say in *evidence, and rewinds the reader.
 * STATUS_MEANING: it is a relative of the format, or has another order of fields than
 * options->update_order, which may have been detected, allows. */
enum status et_inspect(struct reader *reader, const struct reader_options *options,
                       struct dialect_evidence *evidence, struct failure *why) MUST_CHECK;

#endif
