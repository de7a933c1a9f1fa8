/* SPDX-License-Identifier: MIT */
/* The bound on this process's memory, and what is said when there is none left. */
#ifndef ETMERLIN_CLI_PROCESS_MEMORY_LIMIT_H
#define ETMERLIN_CLI_PROCESS_MEMORY_LIMIT_H

#include "base/status.h"
#include "cli/options/options.h"
#include "cli/process/progress.h"

#include <stdint.h>

/* Makes the system refuse to give this process, and those that it forks, more
 * than `bytes` of memory each. STATUS_MEANING: it has more already. */
enum status memory_limit_set(uint64_t bytes, struct failure *why) MUST_CHECK;

/* How far a job had come when it ended. */
struct position {
    uint64_t memory; /* bytes in use; 0: not known */
    int percent;     /* of the input that was being read; -1: not known */
};

/* To be called before anything is released. `progress` may be NULL. Needs no memory. */
struct position position_now(const struct progress *progress);

/* To be called when there is memory again: makes *why, if `status` is STATUS_MEMORY, say
 * how far the job came with how much memory. Returns `status`. */
enum status explain_shortage(enum status status, const struct position *position,
                             const struct options *options, struct failure *why) MUST_CHECK;

#endif
