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
#include "report/reports.h"
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

/* Protects the second input `path` ("-": standard input) of a report. STATUS_MEANING: the
 * report would replace it; *why says that it would go to `what`. */
enum status inputs_protect_second(const char *path, const char *what,
                                  struct failure *why) MUST_CHECK;

/* The files that reports are written to. */
struct report_files;

/* Opens the output of each report among `outputs`, which are all of the run and must outlive
 * *out. *out is NULL if the options ask for no report; all functions here accept that. The
 * caller owns *out (report_files_close). STATUS_MEANING: two outputs, or an output and the
 * trace, would be one file. */
enum status report_files_open(struct report_files **out, const struct options *options,
                              const struct outputs *outputs, struct source *trace,
                              struct failure *why) MUST_CHECK;

/* As inputs_protect, for the files that reports read. */
enum status report_files_protect_inputs(const struct report_files *files,
                                        struct failure *why) MUST_CHECK;

/* Reads the name lists that the reports show, of the trace that `reader` reads. To be called
 * once. STATUS_SYNTAX, STATUS_MEANING: as name_lists_read. */
enum status report_files_read_names(struct report_files *files, const struct reader *reader,
                                    struct failure *why) MUST_CHECK;

/* Writes messages on lists that may be of another trace, and on names that are missing. */
void report_files_remark(const struct report_files *files, const struct reader *reader);

/* The reports that are written there; NULL: none. */
struct reports *report_files_reports(struct report_files *files);

/* In place of report_files_read_names: the reports show these names (NULL: none), which must
 * outlive them. */
void report_files_take_names(struct report_files *files, const struct names *names);

/* Sets the reader of the trace, which must outlive the reports. Names in the trace itself take
 * precedence over those of lists, unless the options ask for lists. */
void report_files_take_reader(struct report_files *files, struct reader *reader);

/* Writes all outputs to the device; to be called before the first output of a job gets its
 * name. */
enum status report_files_end(struct report_files *files, struct failure *why) MUST_CHECK;

/* Gives the files their names. */
enum status report_files_commit(struct report_files *files, struct failure *why) MUST_CHECK;

/* Removes what has not been committed, and releases *files. */
void report_files_close(struct report_files *files);

#endif
