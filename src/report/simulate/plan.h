/* SPDX-License-Identifier: MIT */
/* Which collectors are to be simulated, with heaps and nurseries of which sizes: what the
 * options of --simulate say. */
#ifndef ETMERLIN_REPORT_SIMULATE_PLAN_H
#define ETMERLIN_REPORT_SIMULATE_PLAN_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

struct heap_list {
    struct heap_size items[PLAN_SIZES_MOST];
    size_t count;
};

struct nursery_list {
    uint64_t items[PLAN_SIZES_MOST]; /* ascending, each once */
    size_t count;
};

struct plan {
    bool collectors[COLLECTORS];
    struct heap_list heaps;
    struct nursery_list nurseries;
    bool names_nurseries; /* they are not the default: each must have a heap */
    bool tenures[TENURE_MOST + 1];
    bool names_tenures; /* they are not the default */
};

/* The names of collectors. */
extern const char *const collector_words[COLLECTORS];

/* Each reads a list "a,b,c", the value of its option. STATUS_MEANING: it cannot be understood.
 */
enum status collectors_parse(bool collectors[COLLECTORS], const char *list,
                             struct failure *why) MUST_CHECK;
enum status heaps_parse(struct heap_list *heaps, const char *list,
                        struct failure *why) MUST_CHECK;
enum status nurseries_parse(struct nursery_list *nurseries, const char *list,
                            struct failure *why) MUST_CHECK;
enum status tenures_parse(bool tenures[TENURE_MOST + 1], const char *list,
                          struct failure *why) MUST_CHECK;

/* Sets those of nurseries and tenures that are not named to the ones that the page shows. */
void plan_set_for_page(struct plan *plan);

/* Whether a collector has nurseries. */
bool plan_has_nurseries(const struct plan *plan);

/* Whether nepotism is looked at, and stores are counted: they matter only where references of
 * dead objects do. */
bool plan_has_stores(const struct plan *plan);

/* STATUS_MEANING: as plan_check_nurseries, if the heaps are known before the trace is. */
enum status plan_check(const struct plan *plan, struct failure *why) MUST_CHECK;

/* The bytes of a heap when the smallest one of COLLECTOR_WHOLE has `smallest`: rounded up, at
 * most UINT64_MAX. */
uint64_t heap_size_bytes(const struct heap_size *size, uint64_t smallest);

/* The bytes of the largest heap of the plan then. */
uint64_t plan_largest_heap(const struct plan *plan, uint64_t smallest);

/* STATUS_MEANING: a nursery that is named is larger than the largest heap of the plan, which
 * has `largest` bytes. */
enum status plan_check_nurseries(const struct plan *plan, uint64_t largest,
                                 struct failure *why) MUST_CHECK;

#endif
