/* SPDX-License-Identifier: MIT */
/* Pairing: which recorded death belongs to which allocation. */
#ifndef ETMERLIN_REPORT_COMPARE_PAIRING_H
#define ETMERLIN_REPORT_COMPARE_PAIRING_H

#include "report/compare/alignment.h"

enum death_fate {
    DEATH_PAIRED,
    DEATH_UNKNOWN, /* of an object that is not allocated, or not yet by then */
    DEATH_REPEATED /* the allocation has its death already */
};

struct pairing {
    node_t *death_of; /* by allocation: its death, from 1; 0: none */
    uint8_t *fates;   /* by death: enum death_fate */
};

/* Pairs the deaths with allocations of the same object that are before their time (compared by
 * position: that stand before them). Of several allocations, as ids repeat,
 * each death belongs to the one that dies then according to `computed` (by allocation, the tick
 * of death), and if there is none to the latest one that has no death yet. pairing_free
 * releases *pairing, also after a failure. */
enum status pairing_init(struct pairing *pairing, const struct alignment *alignment,
                         const uint64_t *computed, struct failure *why) MUST_CHECK;

void pairing_free(struct pairing *pairing);

#endif
