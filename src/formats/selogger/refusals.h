/* SPDX-License-Identifier: MIT */
/* Recognises output of SELogger from which no trace can be read, and advises how to record
 * instead (etmerlin-formats(5), SELOGGER). */
#ifndef ETMERLIN_FORMATS_SELOGGER_REFUSALS_H
#define ETMERLIN_FORMATS_SELOGGER_REFUSALS_H

#include "formats/selogger/index/instructions.h"
#include "formats/selogger/index/loading.h"

#include <stddef.h>

/* Why a file that begins with the `length` bytes at `head` is no trace, as a sentence without
 * its full stop; NULL: it is not known to be none. */
const char *refusal_of_content(const char *head, size_t length);

/* Why there is no log next to `index`, as a sentence without its full stop; NULL: that is not
 * known. */
const char *refusal_of_folder(const char *index);

/* Adds a remark for each sort of event that is missing in a trace of `events` events whose
 * index has these instructions. */
enum status hints_add(struct remark_list *remarks, const struct instructions *instructions,
                      uint64_t events, struct failure *why) MUST_CHECK;

#endif
