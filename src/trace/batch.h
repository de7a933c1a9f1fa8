/* SPDX-License-Identifier: MIT */
/* A batch: some thousand consecutive records, with the text they were read from. Records travel
 * in batches, so that a layer costs one call for each batch. A line map keeps in which line
 * each record is, when its batch is gone. */
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

/* From record `record` on, lines count up together with records. */
struct line_run {
    uint64_t record; /* its number from 1 */
    uint64_t line;
};

/* In which line each record is. Lines and records nearly always count up together, so only the
 * exceptions are kept. Zero-initialize it; line_map_free ends it. */
struct line_map {
    struct line_run *runs;
    size_t count;
    size_t capacity;
    uint64_t records;
};

/* The part of line_map_add that begins a run. */
enum status line_map_begin_run(struct line_map *map, uint64_t line,
                               struct failure *why) MUST_CHECK;

/* Adds the next record, which is in line `line`. */
static inline enum status MUST_CHECK line_map_add(struct line_map *map, uint64_t line,
                                                  struct failure *why)
{
    map->records++;
    if (map->count > 0) {
        const struct line_run *run = &map->runs[map->count - 1];
        if (line - run->line == map->records - run->record)
            return STATUS_OK;
    }
    return line_map_begin_run(map, line, why);
}

/* The line of record number `record`, from 1. */
uint64_t line_map_line(const struct line_map *map, uint64_t record);

void line_map_free(struct line_map *map);

#endif
