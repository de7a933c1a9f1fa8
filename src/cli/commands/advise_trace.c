/* SPDX-License-Identifier: MIT */
/* --advise: reports the records that the tracer of a trace left out. The trace is read once and
 * no deaths are computed, so this takes a fraction of the time and memory that deaths take. */
#include "cli/commands/commands.h"
#include "cli/commands/job.h"
#include "report/advise/advice_print.h"
#include "trace/readahead.h"

struct advise_job {
    struct report_job report;
    struct advice *advice;
};

static enum status advise_trace_open(struct advise_job *job, const struct options *options,
                                     struct failure *why)
{
    struct report_job *report = &job->report;
    enum status status = report_job_open(report, options, &options->reader, why);
    if (status == STATUS_OK)
        status = report_job_refuse_lifetimes(report, "--advise", why);
    if (status != STATUS_OK)
        return status;
    const struct reader *reader = report->reader;
    return advice_new(&job->advice, reader->explicit_time, reader->mark.level, why);
}

static enum status advise_batch(void *context, const struct batch *batch, struct failure *why)
{
    struct advise_job *job = context;
    enum status status = advice_add(job->advice, batch, why);
    if (status == STATUS_OK)
        progress_count(job->report.progress, batch->count, advice_objects(job->advice));
    return status;
}

static enum status advise_trace_write(struct advise_job *job, struct failure *why)
{
    struct report_job *report = &job->report;
    struct print print = {.sink = report->sink, .why = why};
    struct advice_counts counts = advice_count(job->advice);
    const struct trace_origin origin = origin_of(report->reader, NULL);
    advice_print(&print, report->options->format, &origin, &counts);
    return report_job_commit(report, &print, why);
}

enum status advise_trace(const struct options *options, struct failure *why)
{
    struct advise_job job = {.advice = NULL};
    enum status status = advise_trace_open(&job, options, why);
    if (status == STATUS_OK)
        status = readahead_visit(job.report.reader, options->engine.threads, advise_batch, &job,
                                 why);
    report_job_stop(&job.report);
    if (status == STATUS_OK)
        status = advise_trace_write(&job, why);
    advice_free(job.advice);
    return report_job_close(&job.report, status, why);
}
