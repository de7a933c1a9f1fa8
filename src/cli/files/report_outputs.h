/* SPDX-License-Identifier: MIT */
/* The files that reports are written to: one for each report, or for each moment of it. */
#ifndef ETMERLIN_CLI_FILES_REPORT_OUTPUTS_H
#define ETMERLIN_CLI_FILES_REPORT_OUTPUTS_H

#include "cli/options/options.h"

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

#endif
