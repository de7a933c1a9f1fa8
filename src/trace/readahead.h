/* SPDX-License-Identifier: MIT */
/* Reads batches ahead of their use, on a second core. */
#ifndef ETMERLIN_TRACE_READAHEAD_H
#define ETMERLIN_TRACE_READAHEAD_H

#include "base/status.h"
#include "trace/reader.h"

/* Called for each batch, which stays until the visitor returns. */
typedef enum status (*batch_visitor)(void *context, const struct batch *batch,
                                     struct failure *why);

/* Reads the rest of `reader` and passes each batch to `visit`. With `threads` = 1, each is read
 * after the one before has been shown; with 2, another thread reads some batches ahead. Nobody
 * else may use the reader until the call returns. Returns the first failure of reader or
 * visitor. */
enum status readahead_visit(struct reader *reader, unsigned threads, batch_visitor visit,
                            void *context, struct failure *why) MUST_CHECK;

#endif
