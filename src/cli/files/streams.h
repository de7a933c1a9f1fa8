/* SPDX-License-Identifier: MIT */
/* Opens the inputs and outputs of a job as the options say, and protects the files that are
 * read from outputs. */
#ifndef ETMERLIN_CLI_FILES_STREAMS_H
#define ETMERLIN_CLI_FILES_STREAMS_H

#include "cli/files/outputs.h"
#include "cli/options/options.h"
#include "formats/list_search.h"
#include "io/sink.h"
#include "io/source.h"
#include "trace/reader.h"
#include "trace/writer.h"

/* Opens the input `path` (NULL or "-": standard input). The caller owns *source (source_close).
 */
enum status streams_open_input(struct source **source, const struct options *options,
                               const char *path, struct failure *why) MUST_CHECK;

/* Opens the output of the command for the trace which `trace` reads. The caller ends *sink
 * (sink_commit, sink_discard). STATUS_MEANING: the options do not allow to replace what is
 * there. */
enum status streams_open_output(struct sink **sink, const struct options *options,
                                const struct output *output, const struct source *trace,
                                struct failure *why) MUST_CHECK;

/* STATUS_MEANING: the trace would be printed on a terminal, which the options do not ask for.
 * To be called when the input is known to be a trace: what is wrong with it matters more. */
enum status streams_check_terminal(const struct options *options,
                                   struct failure *why) MUST_CHECK;

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

/* The inputs of a run in addition to its trace. */

/* To be called when all outputs are open. STATUS_MEANING: one of them would replace a file that
 * is read: the trace `source` (unless it is to be replaced), another file of a trace that is a
 * folder, the table of sizes, or a name list. *why names the file. */
enum status inputs_protect(const struct options *options, const struct reader *reader,
                           const struct source *source, struct failure *why) MUST_CHECK;

/* The name lists that the options ask for, for the trace that `reader` reads. */
struct lists_wanted inputs_lists(const struct options *options, const struct reader *reader);

/* Protects the name lists that are `wanted` from outputs. */
enum status inputs_protect_lists(const struct lists_wanted *wanted,
                                 struct failure *why) MUST_CHECK;

/* Protects the file at `path`. */
enum status inputs_protect_file(const char *path, struct failure *why) MUST_CHECK;

/* Protects the second input `path` ("-": standard input) of a report. STATUS_MEANING: the
 * report would replace it; *why says that it would go to `what`. */
enum status inputs_protect_second(const char *path, const char *what,
                                  struct failure *why) MUST_CHECK;

#endif
