/* SPDX-License-Identifier: MIT */
/* Values of options that are more than a word or a plain number. */
#ifndef ETMERLIN_CLI_OPTIONS_VALUES_H
#define ETMERLIN_CLI_OPTIONS_VALUES_H

#include "base/status.h"
#include "io/pack.h"
#include "report/validate/violations.h"

#include <stdint.h>

/* Reads CODEC[:LEVEL], where CODEC is zstd, gzip, xz or none, into the codec and
 * level of *compression. STATUS_MEANING: it is anything else. */
enum status parse_compression(const char *word, struct compression *compression,
                              struct failure *why) MUST_CHECK;

/* Sets the codec, with its default level, to the one that the suffix of the name `path` asks
 * for; NULL, for a name without such a suffix or no name: none. STATUS_MEANING: it is one that
 * cannot be written. */
enum status choose_codec(const char *path, struct compression *compression,
                         struct failure *why) MUST_CHECK;

/* Sets the codec as choose_codec does, and refuses names of outputs that promise a compression
 * which there is not. STATUS_MEANING: `path` does; the message names --compress if
 * `has_choice`. */
enum status choose_compression(const char *path, bool has_choice,
                               struct compression *compression, struct failure *why) MUST_CHECK;

/* Adds the violations "KIND,..." to *set; names of notes add nothing. STATUS_MEANING: one is
 * neither. */
enum status parse_violations(const char *words, violation_set *set,
                             struct failure *why) MUST_CHECK;

/* How many processors this process may run on. */
unsigned processors(void);

#endif
