/* SPDX-License-Identifier: MIT */
/* The simulation, and what it comes to.
 *
 * The events of a trace happen to heaps: once to find the smallest with which the program gets
 * through, for each collector, exactly and without trying heaps; then to all heaps of a plan.
 *
 * Other reports show, among other things, what the simplest collector costs, and what those of
 * --simulate do. The latter is a simulation of the options of --simulate, if there are any. By
 * default there are more tenures to choose from than --simulate has, and nurseries that fit
 * into the heaps of small programs, too. */
#ifndef ETMERLIN_REPORT_SIMULATE_SIMULATE_H
#define ETMERLIN_REPORT_SIMULATE_SIMULATE_H

#include "report/form/form.h"
#include "report/report.h"
#include "report/simulate/simulated.h"

struct smallest_heaps {
    uint64_t whole;
    uint64_t nurseries[PLAN_SIZES_MOST]; /* of generational ones, by nursery of the plan */
};

/* Finds them, with material->events. More bytes than a number holds are UINT64_MAX. */
enum status smallest_heaps_find(struct smallest_heaps *out, const struct plan *plan,
                                const struct report_material *material,
                                struct failure *why) MUST_CHECK;

struct simulated_heaps {
    struct simulated *items; /* by collector, nursery, tenure and heap, each ascending */
    size_t count, capacity;
    uint64_t left_out[PLAN_SIZES_MOST]; /* nurseries that are larger than all heaps */
    size_t left_out_count;
};

/* Zero-initialize *heaps. Makes one of each collector, heap, nursery and tenure of the plan,
 * but for heaps smaller than their nursery, and one of each collector with its smallest heap;
 * `prior_bytes`, of objects that were there before the trace, are in use from the start. The
 * caller frees heaps->items. */
enum status simulated_heaps_make(struct simulated_heaps *heaps, const struct plan *plan,
                                 const struct smallest_heaps *smallest, uint64_t prior_bytes,
                                 struct failure *why) MUST_CHECK;

/* Runs material->events, with `has_stores` also the stores, through all of *heaps, which are as
 * simulated_heaps_make left them. */
enum status simulate(struct simulated_heaps *heaps, const struct report_material *material,
                     bool has_stores, struct failure *why) MUST_CHECK;

/* What a simulation has come to. */
struct simulate_run {
    struct smallest_heaps smallest;
    struct simulated_heaps heaps;
    uint64_t longest_tick; /* bytes (lives/live.h); set where it is printed */
    bool has_stores;       /* stores and nepotism have been looked at */
};

/* Zero-initialize it; run_costs_free ends it. */
struct run_costs {
    struct heap_events *events; /* NULL: no report needs them */
    struct marking_costs marking;
    struct simulate_run run;
    struct form_part list; /* from run_costs_find on: a row a heap of `run` */
};

/* Begins costs->events, to which the lives are to be added, in the order of death. */
enum status run_costs_begin(struct run_costs *costs, const struct report_material *material,
                            struct failure *why) MUST_CHECK;

/* Simulates, with material->events. */
enum status marking_costs_find(struct marking_costs *costs,
                               const struct report_material *material,
                               struct failure *why) MUST_CHECK;
enum status run_costs_find(struct run_costs *costs, const struct report_material *material,
                           struct failure *why) MUST_CHECK;

/* Makes it zero again. */
void run_costs_free(struct run_costs *costs);

#endif
