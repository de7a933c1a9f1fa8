/* SPDX-License-Identifier: MIT */
/* Writes records of an input as records of an output, one by one, with the text between them.
 */
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

/* Goes past the next record of the batch, `from`: writes the text before it and, unless `as` is
 * NULL, *as in its place. */
enum status rewrite_record(struct rewriting *rewriting, const struct record *from,
                           const struct record *as, struct failure *why) MUST_CHECK;

/* Writes the text after the last record of the batch. */
enum status rewrite_rest(struct rewriting *rewriting, struct failure *why) MUST_CHECK;

/* Writes the rest of `reader`, recorded deaths included, and finishes `writer`: unchanged, if
 * `writer` has the same format, otherwise record by record. Sets *malformed to the number of
 * malformed lines. `threads`: see readahead_visit. */
enum status convert(struct reader *reader, struct writer *writer, unsigned threads,
                    uint64_t *malformed, struct failure *why) MUST_CHECK;

/* Whether `reader` reads the format that `writer` writes. */
bool is_same_format(const struct reader *reader, const struct writer *writer);

#endif
