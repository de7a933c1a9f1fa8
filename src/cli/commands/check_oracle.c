/* SPDX-License-Identifier: MIT */
/* Checks an oracle. First the trace is read, for its allocations and last uses; then the oracle
 * is read row by row. */
#include "cli/commands/commands.h"
#include "cli/commands/job.h"
#include "cli/files/streams.h"
#include "cli/process/process.h"
#include "report/check/check.h"
#include "trace/readahead.h"

struct check_job {
    struct report_job report;
    struct oracle_rows *rows;
    struct pass pass;
    struct traced traced;
    struct matching matching;
};

static enum status check_oracle_open(struct check_job *job, const struct options *options,
                                     struct failure *why)
{
    struct report_job *report = &job->report;
    TRY(report_job_open(report, options, &options->reader, why));
    TRY(inputs_protect_second(options->oracle, "the oracle itself", why));
    TRY(oracle_rows_open(&job->rows, options->oracle, signals_interrupt(), why));
    TRY(pass_init(&job->pass, HELD_BY_NONE, report->reader->explicit_time, why));
    job->pass.ticks_by_time = report->reader->methods->holds_lifetimes;
    const struct recorders_options proofs = {.uses.proofs = true};
    return recorders_open(&job->pass, &proofs, why);
}

static enum status check_oracle_batch(void *context, const struct batch *batch,
                                      struct failure *why)
{
    struct check_job *job = context;
    job->report.malformed += batch->malformed;
    enum status status = traced_add(&job->traced, batch, why);
    if (status == STATUS_OK)
        status = pass_add(&job->pass, batch, why);
    if (status == STATUS_OK)
        progress_count(job->report.progress, batch->count,
                       objects_named(job->pass.heap.objects));
    return status;
}

static enum status check_oracle_read(struct check_job *job, struct failure *why)
{
    struct report_job *report = &job->report;
    const struct phases_to_come later = {.times = {[PHASE_COMPARING] = 1}};
    progress_expect(report->progress, &later);
    enum status status = readahead_visit(report->reader, report->options->engine.threads,
                                         check_oracle_batch, job, why);
    progress_phase(report->progress, PHASE_COMPARING, NULL);
    return status == STATUS_OK
               ? matching_read(&job->matching, job->rows, &job->traced, &job->pass, why)
               : status;
}

static enum status check_oracle_write(struct check_job *job, bool *faulty, struct failure *why)
{
    const struct options *options = job->report.options;
    const struct reader *reader = job->report.reader;
    const struct reader_class *methods = reader->methods;
    const struct check_names names = {oracle_rows_name(job->rows),
                                      methods->holds_lifetimes ? methods->name : NULL};
    struct print print = {.sink = job->report.sink, .why = why};
    struct check check;
    TRY(check_oracle_matches(&check, &job->traced, &job->pass, &job->matching, why));
    *faulty = !check_is_clean(&check);
    const struct trace_origin origin = origin_of(reader, NULL);
    check_print(&print, options->format, &check, &names, &origin, options->show);
    return report_job_commit(&job->report, &print, why);
}

enum status check_oracle(const struct options *options, bool *faulty, struct failure *why)
{
    struct check_job job = {.rows = NULL};
    enum status status = check_oracle_open(&job, options, why);
    if (status == STATUS_OK)
        status = check_oracle_read(&job, why);
    report_job_stop(&job.report);
    if (status == STATUS_OK)
        status = check_oracle_write(&job, faulty, why);
    matching_free(&job.matching);
    traced_free(&job.traced);
    pass_free(&job.pass);
    oracle_rows_close(job.rows);
    return report_job_close(&job.report, status, why);
}
