/* SPDX-License-Identifier: MIT */
/* Where the output of a trace goes. */
#ifndef ETMERLIN_CLI_FILES_OUTPUT_H
#define ETMERLIN_CLI_FILES_OUTPUT_H

#include "cli/options/options.h"

/* What the options say about the output of one trace. */
struct output {
    char *path; /* owned; NULL: standard output */
    struct compression compression;
};

/* Finds out where the output of `trace` (NULL: standard input) goes and how it is
 * compressed. The caller owns output->path (free). STATUS_MEANING: the
 * options make no sense with this trace. */
enum status output_find(struct output *output, const struct options *options, const char *trace,
                        struct failure *why) MUST_CHECK;

/* STATUS_MEANING: two outputs - those of options->traces, the reports on them, and `table`, the
 * table of all (NULL: none) - would be one file, or one would replace a trace without --force.
 * *why names the file. */
enum status output_check_distinct(const struct options *options, const char *table,
                                  struct failure *why) MUST_CHECK;

/* STATUS_MEANING: two of the `count` outputs at `paths` would be one file, or one would be one
 * of options->traces (`options` may be NULL); *why names the file. NULL and "-" are standard
 * output. Devices and pipes may be named more than once. */
enum status output_check_files(const char *const *paths, size_t count,
                               const struct options *options, struct failure *why) MUST_CHECK;

#endif
