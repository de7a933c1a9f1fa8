/* SPDX-License-Identifier: MIT */
/* Checks an oracle. First the trace is read, for its allocations and last uses; then the oracle
 * is read row by row. */
#include "cli/commands/commands.h"
#include "cli/commands/job.h"
#include "cli/files/streams.h"
#include "cli/process/process.h"
#include "merlin/lives/lives.h"
#include "report/check/check.h"

struct check_job {
    struct report_job report;
    struct oracle_rows *rows;
    struct engine *engine; /* for the last uses */
    struct lives_in_order lives;
    struct traced traced;
    struct matching matching;
};

/* What is known of the trace is dropped where a table gives way to windows. */
static void see_phase(void *context, enum engine_phase phase)
{
    struct check_job *job = context;
    struct report_job *report = &job->report;
    bool reads = phase == ENGINE_READING;
    progress_phase(report->progress, engine_phase_shown(phase), reads ? report->source : NULL);
    if (!reads)
        return;
    traced_free(&job->traced);
    job->traced = (struct traced){.explicit_time = report->reader->explicit_time};
    report->malformed = 0;
    struct phases_to_come later = engine_phases_to_come(job->engine, 1);
    later.times[PHASE_COMPARING] = 1;
    progress_expect(report->progress, &later);
}

static enum status see_batch(void *context, const struct batch *batch, struct failure *why)
{
    struct check_job *job = context;
    job->report.malformed += batch->malformed;
    progress_count(job->report.progress, batch->count, engine_named(job->engine));
    return traced_add(&job->traced, batch, why);
}

static void see_progress(void *context, uint64_t done, uint64_t of)
{
    const struct check_job *job = context;
    progress_step(job->report.progress, done, of);
}

/* Where frames hold nothing, no object outlives its last use but by a reference. */
static enum status check_oracle_open(struct check_job *job, const struct options *options,
                                     struct failure *why)
{
    struct report_job *report = &job->report;
    TRY(report_job_open(report, options, &options->reader, why));
    TRY(inputs_protect_second(options->oracle, "the oracle itself", why));
    TRY(oracle_rows_open(&job->rows, options->oracle, signals_interrupt(), why));
    struct engine_options how = engine_setup(options);
    how.held_by = HELD_BY_NONE;
    how.is_for_reports = true;
    how.without_sizes = true;
    how.wants = WANT_LIVES | WANT_PROOFS;
    how.observer = (struct engine_observer){see_phase, see_batch, see_progress, job};
    return engine_open(&job->engine, &how, report->reader, why);
}

static enum status check_oracle_read(struct check_job *job, struct failure *why)
{
    const struct life_stream *lives;
    TRY(engine_run(job->engine, why));
    TRY(source_check(job->report.source, false, why));
    progress_phase(job->report.progress, PHASE_COMPARING, NULL);
    TRY(engine_lives(job->engine, &lives, why));
    TRY(lives_in_order_read(&job->lives, lives, job->traced.passed, why));
    return matching_read(&job->matching, job->rows, &job->traced,
                         engine_pass(job->engine)->heap.frames, why);
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
    TRY(check_oracle_matches(&check, &job->traced, job->lives.uses, &job->matching, why));
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
    lives_in_order_free(&job.lives);
    engine_close(job.engine);
    oracle_rows_close(job.rows);
    return report_job_close(&job.report, status, why);
}
