/* SPDX-License-Identifier: MIT */
/* Which collectors are to be simulated, with heaps and nurseries of which sizes: what the
 * options of --simulate say. */
#ifndef ETMERLIN_REPORT_SIMULATE_PLAN_H
#define ETMERLIN_REPORT_SIMULATE_PLAN_H

#include "base/status.h"
#include "report/report_settings.h"

#include <stddef.h>

enum collector {
    COLLECTOR_WHOLE,
    COLLECTOR_SEMISPACE,
    COLLECTOR_GENERATIONAL,
    COLLECTOR_IDEAL, /* generational, without nepotism */
    COLLECTORS
};

/* Most sizes in a list, and the largest tenure. */
enum { PLAN_SIZES_MOST = 64, TENURE_MOST = 15 };

/* The size of a heap: bytes, or a multiple of the smallest heap of COLLECTOR_WHOLE. */
struct heap_size {
    bool is_multiple;
    uint64_t number; /* bytes, or millionths */
};

struct plan {
    bool collectors[COLLECTORS];
    struct heap_size heaps[PLAN_SIZES_MOST];
    size_t heap_count;
    uint64_t nurseries[PLAN_SIZES_MOST]; /* ascending, each once */
    size_t nursery_count;
    bool names_nurseries; /* they are not the default: each must have a heap */
    bool tenures[TENURE_MOST + 1];
    bool has_stores; /* nepotism is looked at, and stores are counted */
};

/* The names of collectors. */
extern const char *const collector_words[COLLECTORS];

/* Sets *plan to what `settings` say. STATUS_MEANING: they cannot be understood, contradict each
 * other, or name a nursery that is larger than all heaps. */
enum status plan_read(struct plan *plan, const struct simulate_settings *settings,
                      struct failure *why) MUST_CHECK;

/* The bytes of a heap when the smallest one of COLLECTOR_WHOLE has `smallest`: rounded up, at
 * most UINT64_MAX. */
uint64_t heap_size_bytes(const struct heap_size *size, uint64_t smallest);

/* STATUS_MEANING: a nursery that is named is larger than the largest heap of the plan, which
 * has `largest` bytes. */
enum status plan_check_nurseries(const struct plan *plan, uint64_t largest,
                                 struct failure *why) MUST_CHECK;

#endif
