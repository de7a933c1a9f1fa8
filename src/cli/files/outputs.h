/* SPDX-License-Identifier: MIT */
/* Where the outputs of a trace go: their names, which may be made from that of the trace, and
 * which of them would be one file. The reports have a list of outputs, one for each report or
 * each of its moments. */
#ifndef ETMERLIN_CLI_FILES_OUTPUTS_H
#define ETMERLIN_CLI_FILES_OUTPUTS_H

#include "cli/options/options.h"

/* To be called after options_parse: has the name of each output decide its form, unless an
 * option does. STATUS_MEANING: the name promises another form than the option, or one that the
 * output cannot have; or outputs go where they cannot, such as two to standard output, or have
 * no names of their own. */
enum status outputs_settle(struct options *options, struct failure *why) MUST_CHECK;

/* The part of outputs_settle that is about forms. */
enum status outputs_decide_forms(struct options *options, struct failure *why) MUST_CHECK;

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

/* What the options say about the output of one trace. */
struct output {
    char *path; /* owned; NULL: standard output */
    struct compression compression;
};

/* Finds out where the output of `trace` (NULL: standard input) goes, with the name of the trace
 * in place of "%" if the output is a report, and how it is compressed. The caller owns
 * output->path (free). STATUS_MEANING: the options make no sense with this trace, or the name
 * promises a compression that cannot be written. */
enum status output_find(struct output *output, const struct options *options, const char *trace,
                        struct failure *why) MUST_CHECK;

/* STATUS_MEANING: two outputs - those of options->traces, the reports on them, and `table`, the
 * table of all (NULL: none) - would be one file, or one would replace a trace without --force.
 * *why names the file. */
enum status output_check_distinct(const struct options *options, const char *table,
                                  struct failure *why) MUST_CHECK;

/* The names that were made; NULL: as given. */
struct report_names {
    char *made[REPORT_COUNT];
    char *lists; /* of name lists */
};

/* In options->reports and options->names, replaces each "%" by the name of options->trace
 * without folder and suffixes, and each "%%" by "%"; but not in the files of reports on several
 * moments. The options then point into *names, which report_names_free releases, also after a
 * failure. STATUS_MEANING: the trace has no name. */
enum status report_names_make(struct report_names *names, struct options *options,
                              struct failure *why) MUST_CHECK;

/* Does this in options->names alone. The caller owns *made (free), to which options->names then
 * points; NULL: it is as given. */
enum status report_names_make_lists(char **made, struct options *options,
                                    struct failure *why) MUST_CHECK;

void report_names_free(struct report_names *names);

/* Sets *made to `file` with the name of `trace` (NULL: standard input) in place of "%", as
 * above; the caller owns it (free). */
enum status output_name_make(char **made, const char *file, const char *trace,
                             struct failure *why) MUST_CHECK;

/* Whether a file is named after its trace. */
bool output_name_is_made(const char *file);

struct report_output {
    enum report_kind kind;
    size_t moment; /* its number in the list of --at, if outputs_have_moments */
    char *path;    /* "-" is standard output */
};

/* Zero-initialize it; report_outputs_free ends it. */
struct report_outputs {
    struct report_output *items;
    size_t count, capacity;
};

/* Adds the outputs of options->trace, by kind and moment, except those in options->left_out. To
 * be called after report_names_make; the names with moments are made here. */
enum status report_outputs_add(struct report_outputs *outputs, const struct options *options,
                               struct failure *why) MUST_CHECK;

/* STATUS_MEANING: two outputs, or one and `other` (NULL: none), would be one file, or one would
 * be one of options->traces (`options` may be NULL). */
enum status report_outputs_check(const struct report_outputs *outputs, const char *other,
                                 const struct options *options, struct failure *why) MUST_CHECK;

void report_outputs_free(struct report_outputs *outputs);

/* STATUS_MEANING: two reports on options->traces, or one and `table`, the table of all (NULL:
 * none), would be one file, or one would be one of the traces. */
enum status report_names_check(const struct options *options, const char *table,
                               struct failure *why) MUST_CHECK;

#endif
