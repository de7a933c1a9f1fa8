/* SPDX-License-Identifier: MIT */
/* Records of an input written as records of an output, one by one, with the text that stands
 * between them. */
#ifndef ETMERLIN_TRACE_REWRITE_H
#define ETMERLIN_TRACE_REWRITE_H

#include "trace/reader.h"
#include "trace/writer.h"

/* How far a batch has been rewritten. */
struct rewriting {
    struct writer *writer;
    const struct batch *batch;
    size_t written; /* bytes of its text */
};

/* Passes by the next record of the batch, `from`: writes the text before it and, if `as` is not
 * NULL, *as in its place. */
enum status rewrite_record(struct rewriting *rewriting, const struct record *from,
                           const struct record *as, struct failure *why) MUST_CHECK;

/* Writes the text after the last record of the batch. */
enum status rewrite_rest(struct rewriting *rewriting, struct failure *why) MUST_CHECK;

/* Writes all that `reader` still has to give, recorded deaths included: as it is, if `writer`
 * is of its format, else record by record; and finishes `writer`. `threads`: see
 * readahead_visit. */
enum status convert(struct reader *reader, struct writer *writer, unsigned threads,
                    struct failure *why) MUST_CHECK;

/* Whether the text that `reader` reads is in the format of `writer`. */
bool is_same_format(const struct reader *reader, const struct writer *writer);

#endif
