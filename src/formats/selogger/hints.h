/* SPDX-License-Identifier: MIT */
/* What a trace lacks because SELogger was told to record less (etmerlin-formats(5), SELOGGER:
 * weave), and what that does to the deaths. */
#ifndef ETMERLIN_FORMATS_SELOGGER_HINTS_H
#define ETMERLIN_FORMATS_SELOGGER_HINTS_H

#include "formats/selogger/index/instructions.h"
#include "formats/selogger/remark_list.h"

/* Adds a remark for each thing that is missing in a trace of `events` events whose index has
 * these instructions. */
enum status hints_add(struct remark_list *remarks, const struct instructions *instructions,
                      uint64_t events, struct failure *why) MUST_CHECK;

#endif
