/* SPDX-License-Identifier: MIT */
/* Opens inputs and outputs as the options say. */
#ifndef ETMERLIN_CLI_FILES_STREAMS_H
#define ETMERLIN_CLI_FILES_STREAMS_H

#include "cli/options/options.h"
#include "io/sink.h"
#include "io/source.h"
#include "trace/reader.h"
#include "trace/writer.h"

/* Opens the input `path` (NULL or "-": standard input). The caller owns *source (source_close).
 */
enum status streams_open_input(struct source **source, const struct options *options,
                               const char *path, struct failure *why) MUST_CHECK;

/* Opens the output that belongs to the trace which `trace` reads. The caller ends *sink
 * (sink_commit, sink_discard). STATUS_MEANING: the options make no sense with
 * this trace, or do not allow to replace what is there. */
enum status streams_open_output(struct sink **sink, const struct options *options,
                                const struct source *trace, struct failure *why) MUST_CHECK;

/* Opens the output `path` as `options` say, except that its name decides about compression, and
 * that it is removed if the process ends early. The caller ends *sink. STATUS_MEANING: the name
 * promises a compression that cannot be written, or as for sink_open. */
enum status streams_open_report(struct sink **sink, const char *path,
                                const struct sink_options *options,
                                struct failure *why) MUST_CHECK;

/* STATUS_MEANING: an option does not apply to the format that `reader` reads: it is for frees,
 * which the format does not have, or for another format. */
enum status streams_check_format(const struct options *options, const struct reader *reader,
                                 struct failure *why) MUST_CHECK;

/* STATUS_MEANING: the trace is in a format that holds nothing to compute deaths from. */
enum status streams_check_computable(const struct reader *reader,
                                     struct failure *why) MUST_CHECK;

/* A companion is a file that some formats need next to an output, such as the DTD of Meta-TF.
 */

/* Writes `companion` (NULL: nothing to do) under a temporary name into the folder of the file
 * that `output` writes. The caller ends *out with companion_commit or sink_discard; it is NULL
 * if the file is there already, or if `output` is no file. *out must be NULL before.
 * STATUS_MEANING: there is a file of its name that holds something else, and `force` is not
 * set; or it is the output's own name. */
enum status companion_open(struct sink **out, const struct companion *companion,
                           const struct sink *output, bool force,
                           struct failure *why) MUST_CHECK;

/* Gives the file its name and releases `sink`. It is no failure if another process has just
 * made the same file. */
enum status companion_commit(struct sink *sink, const struct companion *companion,
                             struct failure *why) MUST_CHECK;

#endif
