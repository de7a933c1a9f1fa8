/* SPDX-License-Identifier: MIT */
/* The sums by site of a run and of its moments, each made once for all reports that are made
 * from it. */
#ifndef ETMERLIN_REPORT_LIVES_RUN_SUMS_H
#define ETMERLIN_REPORT_LIVES_RUN_SUMS_H

#include "report/lives/site_sums.h"

/* Zero-initialize it; run_sums_free ends it. */
struct run_sums {
    struct site_sums *items[MOMENTS_MOST + 1]; /* one more: that of all of the run */
    size_t count;
};

/* Sets *out to the sums at `moment`, or if that is NULL to those of all of the run, which it
 * makes (site_sums_new) if they are not there yet. `moment` is always the same pointer. */
enum status run_sums_find(struct run_sums *sums, const struct report_material *material,
                          const struct heap_moment *moment, bool has_pairs,
                          struct site_sums **out, struct failure *why) MUST_CHECK;

/* Adds the next life to all. */
enum status run_sums_add(struct run_sums *sums, const struct life_facts *life,
                         struct failure *why) MUST_CHECK;

/* All lives have been added. */
enum status run_sums_finish(struct run_sums *sums, struct failure *why) MUST_CHECK;

void run_sums_free(struct run_sums *sums);

#endif
