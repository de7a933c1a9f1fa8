/* SPDX-License-Identifier: MIT */
/* Finds what is dead at a boundary, and releases it. */
#ifndef ETMERLIN_MERLIN_WINDOWS_COLLECT_H
#define ETMERLIN_MERLIN_WINDOWS_COLLECT_H

#include "io/temporary/numbers.h"
#include "merlin/windows/window_lives.h"

/* Set the first four members; the others are zero at first. collecting_free ends it. */
struct collecting {
    struct pass *pass; /* as far as it has been read, up to a boundary */
    enum unallocated unallocated;
    struct number_stack *lasts; /* of nodes that have not begun yet (mentions.h) */
    struct window_lives *lives; /* owned; NULL: lives are not kept */
    bool keeps_clock;           /* the times of ticks are not forgotten */
    uint64_t *last_mentions;    /* by node, for nodes before `known` */
    uint64_t *orders; /* by node: how many nodes the trace names before it; NULL: references are
                         not kept */
    size_t order_capacity;
    uint64_t named; /* how many nodes there have been */
    size_t known;
    size_t capacity;
    size_t live;    /* the weight of the heap and its frames after the latest collection */
    size_t trimmed; /* `live` when memory was last returned to the system */
};

/* Appends what has died since the latest collection to `deaths`, in the order of death records,
 * and releases it. */
enum status collect(struct collecting *collecting, struct stored_deaths *deaths,
                    struct failure *why) MUST_CHECK;

/* The collection after the last record of the trace, when nothing is named later: appends the
 * deaths and, after them, what is alive. Releases no object. */
enum status collect_last(struct collecting *collecting, struct stored_deaths *deaths,
                         struct failure *why) MUST_CHECK;

void collecting_free(struct collecting *collecting);

#endif
