/* SPDX-License-Identifier: MIT */
/* How much memory of this process is resident, as Linux tells it. All in bytes; 0 where it is
 * not told. */
#ifndef ETMERLIN_REPLAY_MEMORY_USE_H
#define ETMERLIN_REPLAY_MEMORY_USE_H

#include <stdint.h>

/* Now. */
uint64_t memory_resident(void);

/* At the peak, since memory_forget_peak or the start of the program. */
uint64_t memory_peak(void);

/* Lets the peak begin anew, where the system allows it. */
void memory_forget_peak(void);

#endif
