/* SPDX-License-Identifier: MIT */
/* The largest pairs of a method that allocates and a method in which the objects die. */
#ifndef ETMERLIN_REPORT_PAGE_PAGE_PAIRS_H
#define ETMERLIN_REPORT_PAGE_PAGE_PAIRS_H

#include "report/lives/site_sums.h"

struct page_pair {
    uint32_t allocates, kills; /* numbers of methods (contexts.h); 0: none is open */
    uint64_t objects;
    uint64_t bytes;
};

/* After site_sums_finish: sets *pairs to the pairs with the most bytes of objects that die at
 * boundaries, at most `most` of them, the largest first, and *count to their number, which is 0
 * if the sums have no pairs. The caller owns *pairs (free). */
enum status page_pairs_find(struct page_pair **pairs, size_t *count,
                            const struct site_sums *sums, size_t most,
                            struct failure *why) MUST_CHECK;

#endif
