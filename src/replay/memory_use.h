/* SPDX-License-Identifier: MIT */
/* How much memory this process has and may have, as Linux shows it. All in bytes; 0 where it is
 * unknown. */
#ifndef ETMERLIN_REPLAY_MEMORY_USE_H
#define ETMERLIN_REPLAY_MEMORY_USE_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* What the machine has available without swapping. */
uint64_t memory_available(void);

/* Limits the process to `bytes` more than it has now, touched or not: requests beyond that
 * fail. Sets *former to the limit so far, for memory_unbound. */
enum status memory_bound(uint64_t bytes, uint64_t *former, struct failure *why) MUST_CHECK;

/* Limits the process as before again. */
void memory_unbound(uint64_t former);

/* What the process has at this moment. */
uint64_t memory_resident(void);

/* The most that the process has had since memory_forget_peak, or since it began. */
uint64_t memory_peak(void);

/* Has the peak measured from now on. False: the system does not allow it. */
bool memory_forget_peak(void);

#endif
