/* Reads batches ahead of their use, on a second core. */
#ifndef ETMERLIN_TRACE_READAHEAD_H
#define ETMERLIN_TRACE_READAHEAD_H

#include "base/status.h"
#include "trace/reader.h"

struct readahead;

/* Takes over reading from `reader`, which must outlive *out and be left alone until
 * then. With `threads` = 1 batches are read when they are asked for; with 2, a thread reads
 * some batches ahead. The caller owns *out (readahead_close). */
enum status readahead_open(struct readahead **out, struct reader *reader, unsigned threads,
                           struct failure *why) MUST_CHECK;

/* Sets *batch to the next batch, which stays until the next call. Returns what
 * reader_next returns; after STATUS_END, that again. */
enum status readahead_next(struct readahead *readahead, const struct batch **batch,
                           struct failure *why) MUST_CHECK;

/* Ends the thread; the reader is the caller's again. NULL is allowed. */
void readahead_close(struct readahead *readahead);

#endif
