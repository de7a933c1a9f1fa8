/* SPDX-License-Identifier: MIT */
/* The file that some formats want next to an output, such as the DTD of Meta-TF. */
#ifndef ETMERLIN_CLI_FILES_COMPANION_H
#define ETMERLIN_CLI_FILES_COMPANION_H

#include "io/sink.h"
#include "trace/writer.h"

/* Writes `companion` (NULL: nothing to do) under a temporary name into the folder of the file
 * that `output` writes. The caller ends *out with companion_commit or sink_discard; it is NULL
 * if the file is there already, or if `output` is no file. *out must be NULL before.
 * STATUS_MEANING: there is a file of its name that holds something else, and `force` is not
 * set; or it is the output's own name. */
enum status companion_open(struct sink **out, const struct companion *companion,
                           const struct sink *output, bool force,
                           struct failure *why) MUST_CHECK;

/* Gives the file its name and releases `sink`. That another process has just made the same file
 * is no failure. */
enum status companion_commit(struct sink *sink, const struct companion *companion,
                             struct failure *why) MUST_CHECK;

#endif
