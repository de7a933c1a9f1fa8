/* SPDX-License-Identifier: MIT */
/* How much memory this process has and may have, as Linux shows it. All in bytes; 0 where it is
 * unknown. */
#ifndef ETMERLIN_REPLAY_MEMORY_USE_H
#define ETMERLIN_REPLAY_MEMORY_USE_H

#include "base/status.h"

#include <stdint.h>

/* What the machine could still give without swapping; 0: that is unknown. */
uint64_t memory_available(void);

/* From now on, no more than `bytes` beyond what the process has, touched or not, are given to
 * it: requests fail. */
enum status memory_bound(uint64_t bytes, struct failure *why) MUST_CHECK;

/* What the process has at this moment. */
uint64_t memory_resident(void);

/* What the process had at its peak, since memory_forget_peak or the start of the program. */
uint64_t memory_peak(void);

/* Starts to look for the peak again, where the system allows it. */
void memory_forget_peak(void);

#endif
