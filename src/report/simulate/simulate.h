/* SPDX-License-Identifier: MIT */
/* What the simulation comes to, for reports that show it among other things: what the simplest
 * collector costs, and what those of --simulate do. The latter is a simulation of the options
 * of --simulate, if there are any. By default there are more tenures to choose from than
 * --simulate has, and nurseries that fit into the heaps of small programs, too. */
#ifndef ETMERLIN_REPORT_SIMULATE_SIMULATE_H
#define ETMERLIN_REPORT_SIMULATE_SIMULATE_H

#include "report/form/form.h"
#include "report/report.h"
#include "report/simulate/simulation.h"

/* What a simulation has come to. */
struct simulate_run {
    struct smallest_heaps smallest;
    struct simulated_heaps heaps;
    uint64_t longest_tick; /* bytes (longest_tick.h); set where it is printed */
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
