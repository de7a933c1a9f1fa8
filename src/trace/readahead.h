/* SPDX-License-Identifier: MIT */
/* Reads batches ahead of their use, on a second core. */
#ifndef ETMERLIN_TRACE_READAHEAD_H
#define ETMERLIN_TRACE_READAHEAD_H

#include "base/status.h"
#include "trace/reader.h"

/* What is done with a batch, which stays until the visitor returns. */
typedef enum status (*batch_visitor)(void *context, const struct batch *batch,
                                     struct failure *why);

/* Reads all that is left of `reader` and shows `visit` each batch. With `threads` = 1 each is
 * read when the one before has been shown; with 2, a thread reads some batches ahead. The
 * reader must be left alone until the call returns. Ends with the first failure of either. */
enum status readahead_visit(struct reader *reader, unsigned threads, batch_visitor visit,
                            void *context, struct failure *why) MUST_CHECK;

#endif
