/* SPDX-License-Identifier: MIT */
/* What the simulation comes to: its results as a document, and what collectors cost in a run,
 * for reports that show it among other things. The latter is a simulation of the options of
 * --simulate, if there are any. By default there are more tenures to choose from than
 * --simulate has, and nurseries that fit into the heaps of small programs, too. */
#ifndef ETMERLIN_REPORT_SIMULATE_SIMULATE_H
#define ETMERLIN_REPORT_SIMULATE_SIMULATE_H

#include "report/form/form.h"
#include "report/print.h"
#include "report/report.h"
#include "report/report_settings.h"
#include "report/simulate/simulation.h"

struct simulated_results {
    const char *trace;
    const char *unfinished; /* why the trace is not whole; NULL: it seems to be */
    const struct simulated *heaps;
    size_t count;
    uint64_t smallest; /* bytes of the smallest heap that suffices */
    bool has_stores;   /* stores and nepotism have been looked at */
};

struct simulate_run;

/* Zero-initialize it; run_costs_free ends it. */
struct run_costs {
    struct simulate_run *simulation;  /* NULL: it has not begun */
    struct simulated_results results; /* from run_costs_finish on, as is the list of them */
    struct form_part list;
};

/* To be called before the lives come, in the order of death. */
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
