/* SPDX-License-Identifier: MIT */
/* Reads the output back: is it the trace, and are its deaths the computed ones? */
#ifndef ETMERLIN_MERLIN_VERIFY_H
#define ETMERLIN_MERLIN_VERIFY_H

#include "merlin/merge.h"

/* Reads all of `output`, which merge has written with these options. STATUS_MEANING: without
 * its death records it does not have the digest `text`, or the death records are not those of
 * *deaths, in order and, unless only deaths were written, each after its boundary. */
enum status verify(struct reader *output, const struct deaths *deaths, uint64_t text,
                   const struct merge_options *options, struct failure *why) MUST_CHECK;

/* Reads all of `trace`, and sets *digest to the digest of its text without death records. */
enum status digest_without_deaths(struct reader *trace, unsigned threads, uint64_t *digest,
                                  struct failure *why) MUST_CHECK;

#endif
