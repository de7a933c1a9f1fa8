/* SPDX-License-Identifier: MIT */
/* Records in a temporary file, in a form of two or three bytes a record, that can be read
 * forward and backward: what the heap needs of a trace, without its text. */
#ifndef ETMERLIN_TRACE_RECORD_SPOOL_H
#define ETMERLIN_TRACE_RECORD_SPOOL_H

#include "io/spool.h"
#include "trace/reader.h"

#include <stdbool.h>

struct record_spool;

/* Marks fit this many bits. */
enum { RECORD_MARK_BITS = 2 };

/* An empty spool in `temporary` (NULL: see spool_open), of records that carry a thread or, with
 * `explicit_time`, a time. The caller owns *out (record_spool_close). */
enum status record_spool_open(struct record_spool **out, bool explicit_time,
                              const struct temporary_folder *temporary,
                              struct failure *why) MUST_CHECK;

/* From now on, before the first record, allocations keep size, type, site, length and line,
 * too, and M its method. */
void record_spool_keep_details(struct record_spool *spool);

/* Lines of records that are added from now on count from `first_line`. */
void record_spool_set_line(struct record_spool *spool, uint64_t first_line);

/* Appends `record`, which is no death: its kind, marks, objects, field (of U) and thread, of E
 * and X also its method, which should be a small number. With explicit times only boundaries
 * keep theirs. What else there is in a record is lost. */
enum status record_spool_add(struct record_spool *spool, const struct record *record,
                             struct failure *why) MUST_CHECK;

/* To be called when all records have been added, before the first is read. */
enum status record_spool_finish(struct record_spool *spool, struct failure *why) MUST_CHECK;

/* Makes a reader whose batches have these records and no text. With `backward` the last batch
 * comes first; within a batch, records are in the order of the trace all the same. Other than
 * reader_next and reader_close nothing may be called. `spool` must outlive *out, which the
 * caller owns. */
enum status record_spool_read(struct reader **out, struct record_spool *spool, bool backward,
                              struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void record_spool_close(struct record_spool *spool);

#endif
