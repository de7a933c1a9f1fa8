/* SPDX-License-Identifier: MIT */
/* Deaths and last uses in the order of the allocations, for those who know an object by its
 * allocation record. */
#ifndef ETMERLIN_REPORT_LIVES_LIVES_IN_ORDER_H
#define ETMERLIN_REPORT_LIVES_LIVES_IN_ORDER_H

#include "merlin/lives/lives.h"

/* Owned arrays, by the number of the allocation, from 0, objects that were there before the
 * trace included. */
struct lives_in_order {
    uint64_t *deaths;   /* ticks; NEVER: it survives */
    struct proof *uses; /* see WANT_PROOFS */
};

/* Reads all of the `count` lives. lives_in_order_free releases *lives, also after a failure. */
enum status lives_in_order_read(struct lives_in_order *lives, const struct life_stream *stream,
                                size_t count, struct failure *why) MUST_CHECK;

void lives_in_order_free(struct lives_in_order *lives);

#endif
