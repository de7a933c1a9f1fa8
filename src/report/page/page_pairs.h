/* SPDX-License-Identifier: MIT */
/* The methods that allocate and those in which the objects die: the largest pairs of both. */
#ifndef ETMERLIN_REPORT_PAGE_PAGE_PAIRS_H
#define ETMERLIN_REPORT_PAGE_PAGE_PAIRS_H

#include "report/lives/site_sums.h"

struct page_pair {
    uint32_t allocates, kills; /* numbers of methods (contexts.h), 0: none is open */
    uint64_t objects;
    uint64_t bytes;
};

/* Sets *pairs to those with most bytes of what dies at boundaries, at most `most`, the largest
 * first, and *count to their number; none without pairs. The sums are finished. The caller
 * owns *pairs (free). */
enum status page_pairs_find(struct page_pair **pairs, size_t *count,
                            const struct site_sums *sums, size_t most,
                            struct failure *why) MUST_CHECK;

#endif
