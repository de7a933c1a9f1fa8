/* SPDX-License-Identifier: MIT */
/* What the population of a heap is like: sizes of objects, how much lives on average, and what
 * the simplest collector needs and costs. */
#ifndef ETMERLIN_REPORT_LIVES_POPULATION_H
#define ETMERLIN_REPORT_LIVES_POPULATION_H

#include "report/figures.h"
#include "report/lives/heap_events.h"

struct population {
    uint64_t bytes_in_all;     /* that the trace allocates */
    uint64_t prior_bytes;      /* of objects that were there before (trace/record.h) */
    struct distribution sizes; /* of all objects that are allocated; for the caller to set */
    wide_sum space_time;       /* sum of sizes times the bytes allocated while they live */
    uint64_t smallest_heap; /* of a collector that marks the whole heap; at most UINT64_MAX */
    uint64_t asked;         /* bytes that the program asks for: without V records */
    wide_sum marked;        /* bytes, by that collector, with twice its smallest heap */
    struct heap_events *events; /* owned */
    const struct interrupt *interrupt;
};

/* Zero-initialize *population and call this; population_close releases it, also after a
 * failure. Temporary files are made in `temporary`; *interrupt ends population_finish. */
enum status population_open(struct population *population, const struct lives_summary *summary,
                            const struct temporary_folder *temporary,
                            const struct interrupt *interrupt, struct failure *why) MUST_CHECK;
void population_close(struct population *population);

/* The next birth. */
enum status population_add_birth(struct population *population, const struct birth_facts *birth,
                                 struct failure *why) MUST_CHECK;

/* The next life, that of a prior object, too. */
enum status population_add_life(struct population *population, const struct life_facts *life,
                                struct failure *why) MUST_CHECK;

/* All have been added: finds what the collector needs and costs. */
enum status population_finish(struct population *population, struct failure *why) MUST_CHECK;

#endif
