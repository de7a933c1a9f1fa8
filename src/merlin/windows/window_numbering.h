/* SPDX-License-Identifier: MIT */
/* The numbers of objects (numbering.h), for a reading of all records that remembers only the
 * ids in use. */
#ifndef ETMERLIN_MERLIN_WINDOWS_WINDOW_NUMBERING_H
#define ETMERLIN_MERLIN_WINDOWS_WINDOW_NUMBERING_H

#include "io/number_stack.h"
#include "merlin/numbering.h"

/* `lasts` and `numbers` have the last mention and the number of each node, as mentions.h says;
 * they become the numbering's, also after a failure. The caller owns *out (numbering_free). */
enum status window_numbering_new(struct numbering **out, struct number_stack *lasts,
                                 struct number_stack *numbers, struct failure *why) MUST_CHECK;

#endif
