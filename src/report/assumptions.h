/* SPDX-License-Identifier: MIT */
/* The assumptions that deaths are computed under, and their names on the command line. */
#ifndef ETMERLIN_REPORT_ASSUMPTIONS_H
#define ETMERLIN_REPORT_ASSUMPTIONS_H

#include "merlin/merge.h"
#include "merlin/pass.h"
#include "merlin/propagation.h"

struct assumptions {
    enum held_by held_by;
    enum unallocated unallocated;
    enum at_end at_end;
};

/* By the values of their options. */
extern const char *const held_by_words[], *const unallocated_words[], *const at_end_words[];

#endif
