/* SPDX-License-Identifier: MIT */
/* The files that reports are written to, and the names that they show. */
#ifndef ETMERLIN_CLI_FILES_REPORT_FILES_H
#define ETMERLIN_CLI_FILES_REPORT_FILES_H

#include "cli/files/outputs.h"
#include "io/source.h"
#include "report/reports.h"
#include "trace/names.h"
#include "trace/reader.h"

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
