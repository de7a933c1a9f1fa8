/* Reads batches ahead of their use, on a second core. */
#ifndef ETMERLIN_TRACE_READAHEAD_H
#define ETMERLIN_TRACE_READAHEAD_H

#include "base/status.h"
#include "trace/reader.h"

struct readahead;

/* Reads all that is left of `reader`, ahead in a second thread if `threads` is 2, and shows
 * `visit` each batch, which stays until it returns. Ends with the first failure of either. The
 * reader is left alone until then but by the thread that reads. */
enum status readahead_visit(struct reader *reader, unsigned threads,
                            enum status (*visit)(void *context, const struct batch *batch,
                                                 struct failure *why),
                            void *context, struct failure *why) MUST_CHECK;

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
