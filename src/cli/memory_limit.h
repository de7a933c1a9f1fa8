/* SPDX-License-Identifier: MIT */
/* The bound on this process's memory. */
#ifndef ETMERLIN_CLI_MEMORY_LIMIT_H
#define ETMERLIN_CLI_MEMORY_LIMIT_H

#include "base/status.h"

#include <stdint.h>

/* Makes the system refuse to give this process, and those that it forks, more
 * than `bytes` of memory each. STATUS_MEANING: it has more already. */
enum status memory_limit_set(uint64_t bytes, struct failure *why) MUST_CHECK;

/* How much of what memory_limit_set bounds the process has, in bytes; 0: the
 * system does not say. Needs no memory. */
uint64_t memory_in_use(void);

#endif
