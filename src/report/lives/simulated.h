/* SPDX-License-Identifier: MIT */
/* A simulated heap: a collector with a heap and perhaps a nursery of so many bytes, what is in
 * it now, and what its collections have cost. */
#ifndef ETMERLIN_REPORT_LIVES_SIMULATED_H
#define ETMERLIN_REPORT_LIVES_SIMULATED_H

#include "report/figures.h"

#include <stdbool.h>
#include <stdint.h>

enum collector {
    COLLECTOR_WHOLE,
    COLLECTOR_SEMISPACE,
    COLLECTOR_GENERATIONAL,
    COLLECTOR_IDEAL, /* generational, without nepotism */
    COLLECTORS
};

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

/* Makes *smallest, the heap that a collector needs, at least as large as `bytes`, as far as 64
 * bits allow. */
void simulated_need(uint64_t *smallest, wide_sum bytes);

/* COLLECTOR_WHOLE or _SEMISPACE: the program asks for `size` bytes; `live` are live. */
void simulated_allocate(struct simulated *heap, uint64_t size, uint64_t live);

/* Notes that a collection has copied, promoted or marked `bytes` bytes. */
void simulated_note_work(struct simulated *heap, uint64_t bytes);

#endif
