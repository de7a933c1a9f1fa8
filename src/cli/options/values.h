/* SPDX-License-Identifier: MIT */
/* Values of options that are more than a word or a plain number. */
#ifndef ETMERLIN_CLI_OPTIONS_VALUES_H
#define ETMERLIN_CLI_OPTIONS_VALUES_H

#include "base/status.h"
#include "io/codec/pack.h"
#include "report/validate/violations.h"

#include <stdint.h>

/* Reads CODEC[:LEVEL], where CODEC is zstd, gzip, xz or none, into the codec and
 * level of *compression. STATUS_MEANING: it is anything else. */
enum status parse_compression(const char *word, struct compression *compression,
                              struct failure *why) MUST_CHECK;

/* Sets the codec of *compression to the one that the suffix of `path` names, with its default
 * level; to NULL (none) if it names none, or `path` is NULL. STATUS_MEANING: this codec cannot
 * be written. */
enum status choose_codec(const char *path, struct compression *compression,
                         struct failure *why) MUST_CHECK;

/* As choose_codec, for the name of an output. STATUS_MEANING: also if it promises an unknown
 * compression; the message names --compress if `has_choice`. */
enum status choose_compression(const char *path, bool has_choice,
                               struct compression *compression, struct failure *why) MUST_CHECK;

/* Adds the violations "KIND,..." to *set; names of notes are accepted, but add nothing.
 * STATUS_MEANING: a name is neither. */
enum status parse_violations(const char *words, violation_set *set,
                             struct failure *why) MUST_CHECK;

/* The number of processors that this process may run on. */
unsigned processors(void);

#endif
