/* SPDX-License-Identifier: MIT */
/* Records in a temporary file, in two or three bytes each, to be read forward or backward: what
 * the heap needs of a trace, without the text. */
#ifndef ETMERLIN_TRACE_RECORD_SPOOL_H
#define ETMERLIN_TRACE_RECORD_SPOOL_H

#include "io/temporary/spool.h"
#include "trace/reader.h"

#include <stdbool.h>

struct record_spool;

/* Marks have at most so many bits. */
enum { RECORD_MARK_BITS = 2 };

/* An empty spool in `temporary` (NULL: see spool_open), of records that carry a thread or, with
 * `explicit_time`, a time. The caller owns *out (record_spool_close). */
enum status record_spool_open(struct record_spool **out, bool explicit_time,
                              const struct temporary_folder *temporary,
                              struct failure *why) MUST_CHECK;

/* To be called before the first record is added: allocations also keep their size, type, site,
 * length and line, and M its method. */
void record_spool_keep_details(struct record_spool *spool);

/* record->line of records that are added from now on counts from `first_line`. */
void record_spool_set_line(struct record_spool *spool, uint64_t first_line);

/* Appends `record`, which is no death: its kind, marks, objects, field (of U) and thread, and
 * the method of E and X, which should be a small number. With explicit times, only boundaries
 * keep them. All else is lost. */
enum status record_spool_add(struct record_spool *spool, const struct record *record,
                             struct failure *why) MUST_CHECK;

/* To be called after all records have been added, before the first is read. */
enum status record_spool_finish(struct record_spool *spool, struct failure *why) MUST_CHECK;

/* Makes a reader whose batches have these records and no text. With `backward` the last batch
 * comes first; within a batch, records are still in the order of the trace. Only reader_next
 * and reader_close may be called. `spool` must outlive *out, which the caller owns. */
enum status record_spool_read(struct reader **out, struct record_spool *spool, bool backward,
                              struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void record_spool_close(struct record_spool *spool);

#endif
