/* SPDX-License-Identifier: MIT */
/* The registry of outputs: where those of a trace go, what they are called, which of them would
 * be one file, and which go to standard output. A command has at most one output of its own;
 * with reports there is one for each, or for each of its moments. */
#ifndef ETMERLIN_CLI_FILES_OUTPUTS_H
#define ETMERLIN_CLI_FILES_OUTPUTS_H

#include "cli/options/options.h"

/* To be called after options_parse: has the name of each output decide its form, unless an
 * option does. STATUS_MEANING: the name promises another form than the option, or one that the
 * output cannot have; or outputs go where they cannot, such as two to standard output, or have
 * no names of their own. */
enum status outputs_settle(struct options *options, struct failure *why) MUST_CHECK;

/* Whether --at names several moments, and there is a report of this kind for each: then "%" in
 * its file also stands for the moment. */
bool outputs_have_moments(const struct options *options, enum report_kind kind);

/* The file that a report is written to, "-" for standard output; NULL: it is not asked for. */
const char *outputs_report_path(const struct options *options, enum report_kind kind);

/* The file of the table of statistics, or matches, in which each of several traces has a row,
 * "-" for standard output; NULL: there is no such table. */
const char *outputs_shared_table(const struct options *options);

/* Whether the trace, if it is written, goes to standard output. */
bool outputs_trace_is_standard(const struct options *options);

/* Whether a report goes there; with `is_table`, a report that is written row by row. */
bool outputs_report_is_standard(const struct options *options, bool is_table);

/* Sets the codec of *compression to the one that the name of an output promises, with its
 * default level; NULL (none) if it promises none, or `path` is NULL. STATUS_MEANING: what it
 * promises is unknown, or cannot be written; the message names --compress if `has_choice`. */
enum status choose_compression(const char *path, bool has_choice,
                               struct compression *compression, struct failure *why) MUST_CHECK;

/* An output. */
struct output {
    bool of_command; /* the trace with its deaths, or the report that the command writes */
    enum report_kind kind; /* of another report */
    size_t moment;         /* its number in the list of --at, if outputs_have_moments */
    char *path;            /* NULL or "-": standard output */
    char *input;           /* the file that the report reads; NULL: none */
    struct compression compression; /* of_command; else the name decides about it */
};

/* The outputs for a trace, or for several. Zero-initialize it; outputs_free ends it. */
struct outputs {
    struct output *items;
    size_t count, capacity;
};

/* Adds the output of the command for `trace` (NULL: standard input), as the options name it, or
 * --suffix, and if it is a report with the name of the trace in place of "%". STATUS_MEANING:
 * the options make no sense with this trace, or the name promises a compression that cannot be
 * written. */
enum status outputs_add_command(struct outputs *outputs, const struct options *options,
                                const char *trace, struct failure *why) MUST_CHECK;

/* Adds those of reports, by kind and moment, except those in options->left_out. In their names
 * the name of `trace`, without folder and suffixes, stands in place of each "%", and "%" in
 * place of "%%"; where there are several moments, TRACE-MOMENT. STATUS_MEANING: the trace has
 * no name. */
enum status outputs_add_reports(struct outputs *outputs, const struct options *options,
                                const char *trace, struct failure *why) MUST_CHECK;

/* The output of the command, and the first one of a report; NULL: there is none. */
const struct output *outputs_of_command(const struct outputs *outputs);
const struct output *outputs_of_report(const struct outputs *outputs, enum report_kind kind);

/* STATUS_MEANING: two of the outputs would be one file; *why names it. */
enum status outputs_check(const struct outputs *outputs, struct failure *why) MUST_CHECK;

/* STATUS_MEANING: two outputs for options->traces, or one and `table`, the table of all (NULL:
 * none), would be one file, or one would replace a trace without --force. *why names the file.
 */
enum status outputs_check_all(const struct options *options, const char *table,
                              struct failure *why) MUST_CHECK;

void outputs_free(struct outputs *outputs);

/* Names, which are made of that of the trace. */

/* Whether a file is named after its trace. */
bool output_name_is_made(const char *file);

/* Sets *made to `file` with the name of `trace` (NULL: standard input) in place of "%", as
 * above; the caller owns it (free). */
enum status output_name_make(char **made, const char *file, const char *trace,
                             struct failure *why) MUST_CHECK;

/* Does this in options->names, the name lists. The caller owns *made (free), to which
 * options->names then points; NULL: it is as given. */
enum status lists_name_make(char **made, struct options *options,
                            struct failure *why) MUST_CHECK;

#endif
