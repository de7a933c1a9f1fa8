/* SPDX-License-Identifier: MIT */
/* The names of the files of reports, which may be made from that of the trace. */
#ifndef ETMERLIN_CLI_FILES_REPORT_NAMES_H
#define ETMERLIN_CLI_FILES_REPORT_NAMES_H

#include "cli/options/options.h"

/* Names that were made, by report; NULL: as given. */
struct report_names {
    char *made[REPORT_COUNT];
    char *lists; /* of names */
};

/* Puts the name of options->trace, without folder and suffixes, in place of each "%" in the
 * files of options->reports and in options->names, and "%" in place of "%%"; not in files of
 * reports of several moments (report_outputs.h). report_names_free releases what they point to
 * then, also after a failure. STATUS_MEANING: the trace has no name. */
enum status report_names_make(struct report_names *names, struct options *options,
                              struct failure *why) MUST_CHECK;

/* Does report_names_make for options->names alone; the caller owns *made, NULL: it is as given.
 */
enum status report_names_make_lists(char **made, struct options *options,
                                    struct failure *why) MUST_CHECK;

void report_names_free(struct report_names *names);

/* Sets *made to `file` with the name of `trace` (NULL: standard input) in it, in the same way;
 * the caller owns it. */
enum status report_name_make(char **made, const char *file, const char *trace,
                             struct failure *why) MUST_CHECK;

/* The same with the name of the trace and `moment`, or with `moment` alone if it has no name.
 */
enum status report_name_make_of_moment(char **made, const char *file, const char *trace,
                                       const char *moment, struct failure *why) MUST_CHECK;

/* Whether a file is named after its trace. */
bool report_name_is_made(const char *file);

/* STATUS_MEANING: reports of several of options->traces, or one and the table of all (NULL:
 * none), would be one file, or one of the traces. */
enum status report_names_check(const struct options *options, const char *table,
                               struct failure *why) MUST_CHECK;

#endif
