/* SPDX-License-Identifier: MIT */
/* The words by which reports name the options that deaths were computed under: those of the
 * command line. */
#include "report/assumptions.h"

const char *const held_by_words[] = {
    [HELD_BY_RECEIVER] = "receiver", [HELD_BY_NONE] = "none", [HELD_BY_FRAME] = "frame"};
const char *const unallocated_words[] = {
    [UNALLOCATED_LAST_USE] = "last-use", [UNALLOCATED_IMMORTAL] = "immortal"};
const char *const at_end_words[] = {[AT_END_NONE] = "none", [AT_END_DIE] = "die"};
