/* SPDX-License-Identifier: MIT */
/* Pairing: which recorded death belongs to which allocation. */
#ifndef ETMERLIN_REPORT_COMPARE_PAIRING_H
#define ETMERLIN_REPORT_COMPARE_PAIRING_H

#include "merlin/death_pairing.h"
#include "report/compare/alignment.h"

struct pairing {
    node_t *death_of; /* by allocation: its death, from 1; 0: none */
    uint8_t *fates;   /* by death: enum death_fate */
};

/* Pairs the deaths with allocations of the same object (pair_deaths). By allocation, `computed`
 * are the ticks of death, or NEVER, and `uses` the last uses. By time, what
 * is allocated before the time of a death is before it, wherever it stands; a death at the last
 * boundary may mean the end of the trace, and belong to what is allocated after that boundary;
 * one at the tick of the first allocation is early, not of an object before it. pairing_free
 * releases *pairing, also after a failure. */
enum status pairing_init(struct pairing *pairing, const struct alignment *alignment,
                         const uint64_t *computed, const struct proof *uses,
                         struct failure *why) MUST_CHECK;

void pairing_free(struct pairing *pairing);

#endif
