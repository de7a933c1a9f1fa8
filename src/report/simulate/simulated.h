/* SPDX-License-Identifier: MIT */
/* A simulated heap: a collector with a heap and perhaps a nursery of so many bytes, what is in
 * it now, and what its collections have cost. */
#ifndef ETMERLIN_REPORT_SIMULATE_SIMULATED_H
#define ETMERLIN_REPORT_SIMULATE_SIMULATED_H

#include "report/figures.h"
#include "report/simulate/plan.h"

struct simulated {
    enum collector collector;
    uint64_t heap;
    uint64_t nursery; /* 0: it has none */
    unsigned tenure;  /* of a generational one */

    /* What its collections have come to. */
    bool has_ended;     /* an allocation did not fit */
    uint64_t allocated; /* bytes, until then */
    uint64_t minor, major;
    wide_sum copied, promoted, nepotism, marked; /* bytes */
    uint64_t largest; /* bytes that one collection copied, promoted or marked */
    uint64_t stores, remembered_stores;

    /* What is in it. */
    wide_sum used;      /* bytes, live or not; of a generational one: in the old space */
    uint64_t survivors; /* bytes that have survived and are young */
    uint64_t major_at;  /* 1 + the number of the allocation at the latest major one; 0: none */
    uint64_t dead_promoted, dead_staying; /* bytes that nepotism keeps at this minor one */
};

/* Bytes that are live at a moment, in parts. */
struct live_parts {
    uint64_t all;
    uint64_t promoted; /* young ones that this minor collection promotes */
    uint64_t staying;  /* bytes that a minor collection leaves young */
    uint64_t old;      /* those that are old already */
};

/* COLLECTOR_WHOLE or _SEMISPACE: the program asks for `size` bytes; `live` are live. */
void simulated_allocate(struct simulated *heap, uint64_t size, uint64_t live);

/* Generational: a minor collection, before allocation number `number`. */
void simulated_collect_minor(struct simulated *heap, const struct live_parts *live,
                             uint64_t number);

/* Generational: the program asks for `size` bytes, more than the nursery has, before allocation
 * number `number`; live->staying are the bytes of young objects that are live and have survived
 * a collection. */
void simulated_allocate_old(struct simulated *heap, uint64_t size,
                            const struct live_parts *live, uint64_t number);

#endif
