/* SPDX-License-Identifier: MIT */
/* The words by which reports name the options that deaths were computed under: those of the
 * command line. */
#include "report/assumptions.h"

const char *assumptions_held_by(const struct assumptions *assumptions)
{
    static const char *const names[] = {
        [HELD_BY_RECEIVER] = "receiver", [HELD_BY_NONE] = "none", [HELD_BY_FRAME] = "frame"};
    return names[assumptions->held_by];
}

const char *assumptions_unallocated(const struct assumptions *assumptions)
{
    return assumptions->unallocated == UNALLOCATED_IMMORTAL ? "immortal" : "last-use";
}

const char *assumptions_at_end(const struct assumptions *assumptions)
{
    return assumptions->at_end == AT_END_DIE ? "die" : "none";
}
