/* SPDX-License-Identifier: MIT */
/* Reports name the assumptions that deaths were computed under in the words of the command
 * line, so that a reader knows which options give the same deaths. */
#include "report/assumptions.h"

const char *const held_by_words[] = {
    [HELD_BY_RECEIVER] = "receiver", [HELD_BY_NONE] = "none", [HELD_BY_FRAME] = "frame"};
const char *const unallocated_words[] = {
    [UNALLOCATED_LAST_USE] = "last-use", [UNALLOCATED_IMMORTAL] = "immortal"};
const char *const at_end_words[] = {[AT_END_NONE] = "none", [AT_END_DIE] = "die"};
