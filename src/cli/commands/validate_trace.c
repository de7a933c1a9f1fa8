/* SPDX-License-Identifier: MIT */
/* --validate: checks a trace. It is read to its end whatever is wrong with it, since a list of
 * all violations helps more than the first one. --advise reports the records that the tracer
 * of the trace left out. Either reads the trace once and computes no deaths, so it takes a
 * fraction of the time and memory that deaths take. */
#include "cli/commands/commands.h"
#include "cli/commands/job.h"
#include "cli/files/outputs.h"
#include "cli/files/streams.h"
#include "cli/process/process.h"
#include "report/advise/advice.h"
#include "report/validate/validate.h"
#include "trace/readahead.h"

#include <stdlib.h>

struct validate_job {
    struct report_job report;
    struct validation validation;
    struct names *names; /* of name lists; NULL: none are asked for */
    struct list_remarks remarks;
};

/* Reads the name lists, if there are any to be looked at. */
static enum status read_lists(struct validate_job *job, struct failure *why)
{
    const struct reader *reader = job->report.reader;
    const struct options *options = job->report.options;
    if (!options->names)
        return STATUS_OK;
    struct lists_wanted wanted = inputs_lists(options, reader);
    TRY(names_new(&job->names, why));
    job->validation.naming.names = job->names;
    return name_lists_read(job->names, &wanted, signals_interrupt(), &job->remarks, why);
}

static enum status validate_trace_open(struct validate_job *job, const struct options *options,
                                       struct failure *why)
{
    struct reader_options how = options->reader;
    how.keep_others = true;
    TRY(report_job_open(&job->report, options, &how, why));
    TRY(report_job_refuse_lifetimes(&job->report, "--validate", why));
    TRY(validation_init(&job->validation, job->report.reader, why));
    return read_lists(job, why);
}

static enum status validate_batch(void *context, const struct batch *batch, struct failure *why)
{
    struct validate_job *job = context;
    TRY(validation_add(&job->validation, batch, why));
    progress_count(job->report.progress, batch->count, validation_objects(&job->validation));
    return STATUS_OK;
}

static enum status read_trace(struct validate_job *job, struct failure *why)
{
    struct report_job *report = &job->report;
    TRY(readahead_visit(report->reader, report->options->engine.threads, validate_batch, job,
                        why));
    return validation_finish(&job->validation, why);
}

static enum status validate_trace_write(struct validate_job *job, struct failure *why)
{
    const struct options *options = job->report.options;
    struct print print = {.sink = job->report.sink, .why = why};
    validate_print(&print, options->format, &job->validation, options->ignored);
    TRY(report_job_commit(&job->report, &print, why));
    if (!options->quiet)
        remarks_print_lists(job->report.reader, &job->remarks);
    return STATUS_OK;
}

enum status validate_trace(const struct options *options, bool *violates, struct failure *why)
{
    struct validate_job job = {.report.sink = NULL};
    struct options adapted = *options;
    char *lists;
    enum status status = lists_name_make(&lists, &adapted, why);
    if (status == STATUS_OK)
        status = validate_trace_open(&job, &adapted, why);
    if (status == STATUS_OK)
        status = read_trace(&job, why);
    report_job_stop(&job.report);
    if (status == STATUS_OK)
        status = validate_trace_write(&job, why);
    *violates = violations_met(job.validation.violations, options->ignored) != 0;
    validation_free(&job.validation);
    names_free(job.names);
    list_remarks_free(&job.remarks);
    status = report_job_close(&job.report, status, why);
    free(lists);
    return status;
}

struct advise_job {
    struct report_job report;
    struct advice *advice;
};

static enum status advise_trace_open(struct advise_job *job, const struct options *options,
                                     struct failure *why)
{
    struct report_job *report = &job->report;
    TRY(report_job_open(report, options, &options->reader, why));
    TRY(report_job_refuse_lifetimes(report, "--advise", why));
    const struct reader *reader = report->reader;
    return advice_new(&job->advice, reader->explicit_time, reader->mark.level, why);
}

static enum status advise_batch(void *context, const struct batch *batch, struct failure *why)
{
    struct advise_job *job = context;
    TRY(advice_add(job->advice, batch, why));
    progress_count(job->report.progress, batch->count, advice_objects(job->advice));
    return STATUS_OK;
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
