/* SPDX-License-Identifier: MIT */
/* The files that reports are written to: their names, which may be made from that of the trace,
 * and which outputs there are, one for each report or for each moment of it. */
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
 * reports of several moments. report_names_free releases what they point to
 * then, also after a failure. STATUS_MEANING: the trace has no name. */
enum status report_names_make(struct report_names *names, struct options *options,
                              struct failure *why) MUST_CHECK;

/* Puts the name of the trace in place of each "%" in options->names alone. The caller owns
 * *made; NULL: the names are as given. */
enum status report_names_make_lists(char **made, struct options *options,
                                    struct failure *why) MUST_CHECK;

void report_names_free(struct report_names *names);

/* Sets *made to `file` with the name of `trace` (NULL: standard input) in it, in the same way;
 * the caller owns it. */
enum status report_name_make(char **made, const char *file, const char *trace,
                             struct failure *why) MUST_CHECK;

/* Whether a file is named after its trace. */
bool report_name_is_made(const char *file);

struct report_output {
    enum report_kind kind;
    size_t moment; /* number in the list of --at, if options_have_moments */
    char *path;    /* "-" is standard output */
};

/* Zero-initialize it; report_outputs_free ends it. */
struct report_outputs {
    struct report_output *items;
    size_t count, capacity;
};

/* Adds the outputs of options->trace, by kind and moment, but those that are left out. Other
 * names than those of moments are made already (report_names_make). */
enum status report_outputs_add(struct report_outputs *outputs, const struct options *options,
                               struct failure *why) MUST_CHECK;

/* STATUS_MEANING: two outputs, or one and `other` (NULL: none), would be one file, or one would
 * be one of the traces of `options` (NULL: of none). */
enum status report_outputs_check(const struct report_outputs *outputs, const char *other,
                                 const struct options *options, struct failure *why) MUST_CHECK;

void report_outputs_free(struct report_outputs *outputs);

/* STATUS_MEANING: reports of several of options->traces, or one and the table of all (NULL:
 * none), would be one file, or one of the traces. */
enum status report_names_check(const struct options *options, const char *table,
                               struct failure *why) MUST_CHECK;

#endif
