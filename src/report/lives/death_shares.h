/* SPDX-License-Identifier: MIT */
/* At how few sites most bytes die. */
#ifndef ETMERLIN_REPORT_LIVES_DEATH_SHARES_H
#define ETMERLIN_REPORT_LIVES_DEATH_SHARES_H

#include "report/lives/site_sums.h"

enum { DEATH_SHARES = 3 };

/* Percentages of the bytes that die at boundaries. */
extern const unsigned death_share_percents[DEATH_SHARES];

/* How many methods, and contexts, see that much of these bytes die: the fewest that do. No open
 * method counts as one. 0: nothing dies. */
struct death_share {
    uint64_t methods;
    uint64_t contexts;
};

/* Finds the shares of *sums, which have pairs and are finished. */
enum status death_shares_find(struct death_share *shares, const struct site_sums *sums,
                              struct failure *why) MUST_CHECK;

#endif
