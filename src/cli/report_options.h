/* SPDX-License-Identifier: MIT */
/* Which outputs the options ask for: the trace, reports, or both. */
#ifndef ETMERLIN_CLI_REPORT_OPTIONS_H
#define ETMERLIN_CLI_REPORT_OPTIONS_H

#include "cli/options.h"

/* Whether any of options->reports is asked for. */
bool options_want_reports(const struct options *options);

/* What the reports that are asked for need: REPORT_NEEDS_... */
unsigned options_report_needs(const struct options *options);

/* Whether the trace itself is written: always without reports, and with reports if an option
 * says where to. */
bool options_write_trace(const struct options *options);

/* Whether they ask for what windows cannot do, since it needs all objects at once. */
bool options_need_table(const struct options *options);

/* Whether options->output is for a report on each trace, so that "%" in it stands for the name
 * of the trace. */
bool options_output_is_report(const struct options *options);

/* Where a report is to be written, "-" for standard output; NULL: it is not asked for. */
const char *options_report_output(const struct options *options, enum report_kind kind);

/* The file of the one table of statistics of several traces, "-" for standard output, in which
 * each has a row; NULL: there is none. */
const char *options_shared_table(const struct options *options);

#endif
