/* SPDX-License-Identifier: MIT */
/* Pass 2: reads the trace once more, and writes it with its deaths (merge.c); and reads the
 * output back: is it the trace, and are its deaths the computed ones (verify.c)? */
#ifndef ETMERLIN_MERLIN_MERGE_H
#define ETMERLIN_MERLIN_MERGE_H

#include "base/status.h"
#include "merlin/deaths.h"
#include "merlin/numbering.h"
#include "trace/reader.h"
#include "trace/writer.h"

#include <stdbool.h>

struct merge_options {
    enum at_end at_end;
    bool deaths_only;       /* write nothing but the deaths */
    const uint64_t *thread; /* write this thread in each death; NULL: the allocating one */
    unsigned threads;       /* to read with: 1 or 2 */
    bool rewrite; /* write records, not text, since the writer's format is another one */
    /* Write records, with the numbers that objects have in deaths; NULL: keep ids. */
    struct numbering *numbering;
};

/* Reads the trace once more from `reader` and writes its text, or with options->rewrite its
 * records, to `writer`, without the death records that it has, and with each computed death
 * directly after the boundary at which the object died. Then finishes `writer`. STATUS_MEANING:
 * the trace is not the one that had the digest `digest` (reader_digest) in pass 1. */
enum status merge(struct reader *reader, struct writer *writer, const struct deaths *deaths,
                  uint64_t digest, const struct merge_options *options,
                  struct failure *why) MUST_CHECK;

/* Reads all of `output`, which merge has written with these options. STATUS_MEANING: without
 * its death records it does not have the digest `text`, or the death records are not those of
 * *deaths, in order and, unless only deaths were written, each after its boundary. */
enum status verify(struct reader *output, const struct deaths *deaths, uint64_t text,
                   const struct merge_options *options, struct failure *why) MUST_CHECK;

/* Reads all of `trace`, and sets *digest to the digest of its text without death records. */
enum status digest_without_deaths(struct reader *trace, unsigned threads, uint64_t *digest,
                                  struct failure *why) MUST_CHECK;

#endif
