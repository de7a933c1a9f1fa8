/* SPDX-License-Identifier: MIT */
/* A numbering of objects (numbering.h) for a reading of all records, which keeps only the ids
 * in use. */
#ifndef ETMERLIN_MERLIN_WINDOWS_WINDOW_NUMBERING_H
#define ETMERLIN_MERLIN_WINDOWS_WINDOW_NUMBERING_H

#include "io/temporary/numbers.h"
#include "merlin/numbering.h"

/* Makes a numbering from the last mention and the number of each node, which are in `lasts` and
 * `numbers` (mentions.h). The numbering owns these from now on; after a failure they have been
 * released. The caller owns *out (numbering_free). */
enum status window_numbering_new(struct numbering **out, struct number_stack *lasts,
                                 struct number_stack *numbers, struct failure *why) MUST_CHECK;

#endif
