/* SPDX-License-Identifier: MIT */
/* --validate: checks a trace. It is read to its end, whatever is found in it: a list of all
 * that is wrong helps more than the first fault. */
#include "cli/commands.h"
#include "cli/report_job.h"
#include "report/validate/validate_print.h"
#include "trace/readahead.h"

struct validate_job {
    struct report_job report;
    struct validation validation;
};

static enum status validate_trace_open(struct validate_job *job, const struct options *options,
                                       struct failure *why)
{
    struct reader_options how = options->reader;
    how.keep_others = true;
    enum status status = report_job_open(&job->report, options, &how, why);
    if (status == STATUS_OK)
        status = report_job_refuse_lifetimes(&job->report, "--validate", why);
    return status == STATUS_OK ? validation_init(&job->validation, job->report.reader, why)
                               : status;
}

static enum status validate_batch(void *context, const struct batch *batch, struct failure *why)
{
    struct validate_job *job = context;
    enum status status = validation_add(&job->validation, batch, why);
    if (status == STATUS_OK)
        progress_count(job->report.progress, batch->count,
                       validation_objects(&job->validation));
    return status;
}

static enum status read_trace(struct validate_job *job, struct failure *why)
{
    struct report_job *report = &job->report;
    enum status status =
        readahead_visit(report->reader, report->options->threads, validate_batch, job, why);
    return status == STATUS_OK ? validation_finish(&job->validation, why) : status;
}

static enum status validate_trace_write(struct validate_job *job, struct failure *why)
{
    const struct options *options = job->report.options;
    struct print print = {.sink = job->report.sink, .why = why};
    if (options->format == FORMAT_JSON)
        validate_print_json(&print, &job->validation, options->ignored);
    else
        validate_print_text(&print, &job->validation, options->ignored);
    return report_job_commit(&job->report, &print, why);
}

enum status validate_trace(const struct options *options, bool *violates, struct failure *why)
{
    struct validate_job job = {.report.sink = NULL};
    enum status status = validate_trace_open(&job, options, why);
    if (status == STATUS_OK)
        status = read_trace(&job, why);
    report_job_stop(&job.report);
    if (status == STATUS_OK)
        status = validate_trace_write(&job, why);
    *violates = violations_met(job.validation.violations, options->ignored) != 0;
    validation_free(&job.validation);
    return report_job_close(&job.report, status, why);
}
