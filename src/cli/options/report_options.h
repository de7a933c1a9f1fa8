/* SPDX-License-Identifier: MIT */
/* Which outputs the options ask for: the trace, reports, or both. */
#ifndef ETMERLIN_CLI_OPTIONS_REPORT_OPTIONS_H
#define ETMERLIN_CLI_OPTIONS_REPORT_OPTIONS_H

#include "cli/options/options.h"

/* Whether any of options->reports is asked for. */
bool options_want_reports(const struct options *options);

/* What the reports that are asked for need: REPORT_NEEDS_... */
unsigned options_report_needs(const struct options *options);

/* Whether options->output is written: the trace, always without reports, and with reports if an
 * option says where to; or the report of a command. */
bool options_write_trace(const struct options *options);

/* Whether options->output is for a report on each trace, so that "%" in it stands for the name
 * of the trace. */
bool options_output_is_report(const struct options *options);

/* Whether --at names several moments, and a report of the kind is of each of them: then "%" in
 * its file stands for the moment, too. */
bool options_have_moments(const struct options *options, enum report_kind kind);

/* Where a report is to be written, "-" for standard output; NULL: it is not asked for. */
const char *options_report_output(const struct options *options, enum report_kind kind);

/* The file of the one table of statistics, or matches, of several traces, "-" for standard
 * output, in which each has a row; NULL: there is none. */
const char *options_shared_table(const struct options *options);

/* Whether the trace, if it is written, goes to standard output. */
bool options_trace_to_standard_output(const struct options *options);

/* Whether a report does; with `is_table` only those that are written row by row count. */
bool options_report_to_standard_output(const struct options *options, bool is_table);

#endif
