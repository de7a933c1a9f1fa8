/* SPDX-License-Identifier: MIT */
/* What collectors cost in a run, for reports that show it among other things: a simulation of
 * the options of --simulate, if there are any. By default there are more tenures to choose from
 * than --simulate has, and nurseries that fit into the heaps of small programs, too. */
#ifndef ETMERLIN_REPORT_SIMULATE_RUN_COSTS_H
#define ETMERLIN_REPORT_SIMULATE_RUN_COSTS_H

#include "report/simulate/simulate_print.h"
#include "report/simulate/simulate_run.h"

/* Zero-initialize it; run_costs_free ends it. */
struct run_costs {
    struct simulate_run *simulation;  /* NULL: it has not begun */
    struct simulated_results results; /* from run_costs_finish on, as is the list of them */
    struct document_part list;
};

/* The next records of the trace. */
enum status run_costs_read(struct run_costs *costs, const struct report_material *material,
                           const struct batch *batch, struct failure *why) MUST_CHECK;

/* There are no more records: then come the lives, in the order of death. */
enum status run_costs_begin(struct run_costs *costs, const struct report_material *material,
                            struct failure *why) MUST_CHECK;
enum status run_costs_add(struct run_costs *costs, const struct life_facts *life,
                          struct failure *why) MUST_CHECK;

/* All lives have been added: simulates. */
enum status run_costs_finish(struct run_costs *costs, const struct report_material *material,
                             struct failure *why) MUST_CHECK;

/* Makes it zero again. */
void run_costs_free(struct run_costs *costs);

#endif
