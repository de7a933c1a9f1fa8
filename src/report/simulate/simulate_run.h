/* SPDX-License-Identifier: MIT */
/* A simulation from the first record of the trace to its results. */
#ifndef ETMERLIN_REPORT_SIMULATE_SIMULATE_RUN_H
#define ETMERLIN_REPORT_SIMULATE_SIMULATE_RUN_H

#include "report/report.h"
#include "report/simulate/heaps.h"
#include "report/simulate/simulate_print.h"

struct simulate_run;

/* Begins the simulation that `settings` describe (STATUS_MEANING: they cannot be understood),
 * with temporary files in `temporary`. The caller owns *out (simulate_run_close). */
enum status simulate_run_open(struct simulate_run **out,
                              const struct simulate_settings *settings,
                              const struct temporary_folder *temporary,
                              struct failure *why) MUST_CHECK;

/* The next records of the trace; then the next life, in the order of deaths. */
enum status simulate_run_read(struct simulate_run *run, const struct batch *batch,
                              struct failure *why) MUST_CHECK;
enum status simulate_run_add_life(struct simulate_run *run, const struct life_facts *life,
                                  struct failure *why) MUST_CHECK;

/* Records and lives have all been added: simulates. */
enum status simulate_run_finish(struct simulate_run *run,
                                const struct report_material *material,
                                struct failure *why) MUST_CHECK;

/* The results, which belong to the run. */
const struct simulated_heaps *simulate_run_heaps(const struct simulate_run *run);
struct simulated_results simulate_run_results(const struct simulate_run *run,
                                              const struct report_material *material);

/* NULL is allowed. */
void simulate_run_close(struct simulate_run *run);

#endif
