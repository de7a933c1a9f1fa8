/* SPDX-License-Identifier: MIT */
/* A batch: some thousand consecutive records, with the text they were read from. Records travel
 * in batches, so that a layer costs one call for each batch. */
#ifndef ETMERLIN_TRACE_BATCH_H
#define ETMERLIN_TRACE_BATCH_H

#include "base/status.h"
#include "trace/record.h"

#include <stddef.h>

struct batch {
    struct record *records;
    size_t count;
    size_t capacity;

    /* The bytes that the batch covers: the lines of its records, and everything before, between
     * and after them. Bytes outside of records mean nothing to the heap. */
    char *text;
    size_t text_length;
    size_t text_capacity;
    uint64_t first_line; /* of the text, from 1 */

    /* Lines of this batch that are no records. */
    uint64_t comments;
    uint64_t unknown;   /* a record letter that the format does not have */
    uint64_t malformed; /* passed over by a lenient reader */
    struct reference_counts references;
};

/* An empty batch owns nothing. */
#define BATCH_EMPTY ((struct batch){.records = NULL})

/* Makes room for `records` records and `text` bytes of text in all; what the batch holds stays.
 * STATUS_MEMORY: it is as it was. */
enum status batch_reserve(struct batch *batch, size_t records, size_t text,
                          struct failure *why) MUST_CHECK;

/* Empties the batch; its room stays. */
static inline void batch_restart(struct batch *batch)
{
    batch->count = batch->text_length = 0;
    batch->comments = batch->unknown = batch->malformed = 0;
    batch->references = (struct reference_counts){.objects = {0}};
}

/* Releases what the batch owns, and leaves it empty. */
void batch_free(struct batch *batch);

#endif
