/* SPDX-License-Identifier: MIT */
/* Inputs and outputs as the options say. */
#ifndef ETMERLIN_CLI_FILES_STREAMS_H
#define ETMERLIN_CLI_FILES_STREAMS_H

#include "cli/options/options.h"
#include "io/sink.h"
#include "io/source.h"
#include "trace/reader.h"

/* Opens the input `path` (NULL or "-": standard input). The caller owns *source (source_close).
 */
enum status streams_open_input(struct source **source, const struct options *options,
                               const char *path, struct failure *why) MUST_CHECK;

/* Opens the output that belongs to the trace which `trace` reads. The caller ends *sink
 * (sink_commit, sink_discard). STATUS_MEANING: the options make no sense with
 * this trace, or do not allow to replace what is there. */
enum status streams_open_output(struct sink **sink, const struct options *options,
                                const struct source *trace, struct failure *why) MUST_CHECK;

/* STATUS_MEANING: the options ask for what the format that `reader` reads does not have: what
 * only frees have, or ways of reading another format. */
enum status streams_check_format(const struct options *options, const struct reader *reader,
                                 struct failure *why) MUST_CHECK;

/* STATUS_MEANING: the trace is in a format that holds nothing to compute deaths from. */
enum status streams_check_computable(const struct reader *reader,
                                     struct failure *why) MUST_CHECK;

#endif
