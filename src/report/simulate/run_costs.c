/* SPDX-License-Identifier: MIT */
/* The simulation begins with the first records, since what they store and allocate is listed as
 * it comes, or with the lives if there are no records. */
#include "report/simulate/run_costs.h"

enum status run_costs_begin(struct run_costs *costs, const struct report_material *material,
                            struct failure *why)
{
    struct simulate_settings settings = material->settings->simulate;
    if (costs->simulation)
        return STATUS_OK;
    if (!settings.tenures)
        settings.tenures = "0,1,3";
    settings.leaves_out_large = !settings.nurseries;
    if (!settings.nurseries)
        settings.nurseries = "16K,64K,256K,1M,4M,16M,64M";
    return simulate_run_open(&costs->simulation, &settings, material->temporary, why);
}

enum status run_costs_read(struct run_costs *costs, const struct report_material *material,
                           const struct batch *batch, struct failure *why)
{
    enum status status = run_costs_begin(costs, material, why);
    return status == STATUS_OK ? simulate_run_read(costs->simulation, batch, why) : status;
}

enum status run_costs_add(struct run_costs *costs, const struct life_facts *life,
                          struct failure *why)
{
    return simulate_run_add_life(costs->simulation, life, why);
}

enum status run_costs_finish(struct run_costs *costs, const struct report_material *material,
                             struct failure *why)
{
    enum status status = simulate_run_finish(costs->simulation, material, why);
    if (status == STATUS_OK)
        costs->results = simulate_run_results(costs->simulation, material);
    costs->list = (struct document_part){&simulated_sections[1], &costs->results};
    return status;
}

void run_costs_free(struct run_costs *costs)
{
    simulate_run_close(costs->simulation);
    *costs = (struct run_costs){.simulation = NULL};
}
