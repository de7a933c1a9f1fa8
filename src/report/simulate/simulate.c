/* SPDX-License-Identifier: MIT */
/* The report is a simulation (simulate_run.h) of its own, which begins with the first records.
 */
#include "report/report_table.h"

#include "report/simulate/simulate_print.h"
#include "report/simulate/simulate_run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The simulation, begun when it is needed first. */
static enum status open_run(struct report *report, struct simulate_run **run,
                            struct failure *why)
{
    const struct report_material *material = report->material;
    enum status status = STATUS_OK;
    *run = report->state;
    if (!*run)
        status =
            simulate_run_open(run, &material->settings->simulate, material->temporary, why);
    report->state = *run;
    return status;
}

static enum status simulate_read(struct report *report, const struct batch *batch,
                                 struct failure *why)
{
    struct simulate_run *run = NULL;
    enum status status = open_run(report, &run, why);
    return status == STATUS_OK ? simulate_run_read(run, batch, why) : status;
}

static enum status simulate_begin(struct report *report, struct failure *why)
{
    struct simulate_run *run = NULL;
    const struct report_material *material = report->material;
    const struct lives_summary *summary = life_stream_summary(material->stream);
    if (material->is_recorded && summary->deaths == 0 && summary->lives > 0)
        return fail_at(why, STATUS_MEANING, material->trace, 0,
                       "The trace has no deaths, which --simulate needs: without --no-deaths "
                       "they are computed");
    return open_run(report, &run, why);
}

static enum status simulate_add_life(struct report *report, const struct life_facts *life,
                                     struct failure *why)
{
    return simulate_run_add_life(report->state, life, why);
}

static enum status simulate_finish(struct report *report, struct failure *why)
{
    const struct report_material *material = report->material;
    struct simulate_run *run = report->state;
    enum status status = simulate_run_finish(run, material, why);
    struct print print = {.sink = report->sink, .why = why};
    if (status != STATUS_OK)
        return status;
    const struct simulated_results results = simulate_run_results(run, material);
    bool is_json = material->settings->simulate.format == SIMULATE_JSON;
    simulated_print(&print, is_json ? FORMAT_JSON : FORMAT_TSV, &results);
    return print.status;
}

/* What is odd about the result, and why. If nothing is allocated, that is also why nurseries
 * are left out. */
static char *simulate_remark(const struct report *report)
{
    const struct simulated_heaps *heaps =
        report->state ? simulate_run_heaps(report->state) : NULL;
    if (heaps && life_stream_summary(report->material->stream)->end.bytes == 0)
        return strdup("--simulate has nothing to collect: no bytes are allocated");
    size_t count = heaps ? heaps->left_out_count : 0, length = 0;
    char *text = NULL;
    FILE *stream = count > 0 ? open_memstream(&text, &length) : NULL;
    if (!stream)
        return NULL;
    fprintf(stream, "--simulate leaves nurseries out that are larger than all heaps:");
    for (size_t i = 0; i < count; i++)
        fprintf(stream, "%s %" PRIu64,
                i == 0          ? ""
                : i + 1 < count ? ","
                                : " and",
                heaps->left_out[i]);
    fprintf(stream, " bytes");
    if (fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}

static void simulate_release(struct report *report)
{
    simulate_run_close(report->state);
    report->state = NULL;
}

const struct report_class simulate_report = {.read = simulate_read,
                                             .restart = simulate_release,
                                             .begin = simulate_begin,
                                             .life = simulate_add_life,
                                             .finish = simulate_finish,
                                             .remark = simulate_remark,
                                             .release = simulate_release};
