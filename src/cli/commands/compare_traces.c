/* SPDX-License-Identifier: MIT */
/* Compares recorded deaths with computed ones: under the assumptions of the options, or,
 * with --compare-all, under all of them, which takes one pass over the trace for each value of
 * --held-by. The recorded deaths are read once. */
#include "cli/commands/commands.h"
#include "cli/commands/job.h"
#include "cli/files/streams.h"
#include "cli/process/process.h"
#include "formats/formats.h"
#include "report/compare/compare.h"
#include "trace/readahead.h"

enum { HELD_BYS = 3, UNALLOCATEDS = 2, AT_ENDS = 2 };

/* An input, and what was recorded of its allocations and deaths. */
struct input {
    struct source *source;
    struct reader *reader;
    struct recording recording;
    uint64_t malformed;
    uint64_t digest;
};

struct compare_job {
    struct report_job report;
    struct input trace;    /* its source and reader are those of `report` */
    struct input recorded; /* not open if the deaths of the trace itself are compared */
    struct pass pass;
    struct deaths deaths;
    struct alignment alignment;
    struct agreement agreements[HELD_BYS * UNALLOCATEDS * AT_ENDS];
    size_t agreement_count;
};

static enum status open_trace(struct compare_job *job, const struct options *options,
                              struct failure *why)
{
    struct report_job *report = &job->report;
    enum status status = report_job_open(report, options, &options->reader, why);
    job->trace.source = report->source;
    job->trace.reader = report->reader;
    return status == STATUS_OK ? streams_check_computable(report->reader, why) : status;
}

static enum status open_recorded(struct compare_job *job, const struct options *options,
                                 struct failure *why)
{
    struct input *recorded = &job->recorded;
    struct reader_options how = options->reader;
    /* It cannot be detected in a file that has only deaths. */
    how.dialect = job->trace.reader->explicit_time ? DIALECT_TIME : DIALECT_THREAD;
    TRY(streams_open_input(&recorded->source, options, options->recorded, why));
    TRY(inputs_protect_second(options->recorded, "the recorded deaths themselves", why));
    TRY(formats_open_reader(&recorded->reader, recorded->source, &how, why));
    return inputs_protect(options, recorded->reader, recorded->source, why);
}

/* What the records of an input are added to: `pass` and `recording`; either may be NULL. */
struct compared_input {
    struct compare_job *job;
    struct input *input;
    struct pass *pass;
    struct recording *recording;
};

static enum status compare_batch(void *context, const struct batch *batch, struct failure *why)
{
    const struct compared_input *to = context;
    enum status status = STATUS_OK;
    if (to->recording) {
        to->input->malformed += batch->malformed;
        status = recording_add(to->recording, batch, why);
    }
    if (to->pass && status == STATUS_OK)
        status = pass_add(to->pass, batch, why);
    if (status == STATUS_OK)
        progress_count(to->job->report.progress, batch->count,
                       objects_named(to->job->pass.heap.objects));
    return status;
}

static enum status read_input(struct compare_job *job, struct input *input, struct pass *pass,
                              struct recording *recording, struct failure *why)
{
    struct compared_input to = {job, input, pass, recording};
    return readahead_visit(input->reader, job->report.options->engine.threads, compare_batch,
                           &to, why);
}

static void see_propagation(void *context, uint64_t done, uint64_t of)
{
    const struct compare_job *job = context;
    progress_step(job->report.progress, done, of);
}

/* Announces the phases that follow once the first reading has begun. */
static void expect_phases(struct compare_job *job)
{
    const unsigned readings = job->report.options->compare_all ? HELD_BYS : 1;
    const unsigned computed = job->report.options->compare_all ? HELD_BYS * UNALLOCATEDS : 1;
    struct phases_to_come later = {.times = {0}};
    later.times[PHASE_READING] = readings - 1 + (job->recorded.reader != NULL);
    later.times[PHASE_PROPAGATION] = computed;
    later.times[PHASE_COMPARING] = computed + 1;
    progress_expect(job->report.progress, &later);
}

/* Pass 1; the first one also reads the recorded deaths, if the trace has them. */
static enum status read_trace(struct compare_job *job, enum held_by held_by, bool is_first,
                              struct failure *why)
{
    const struct recorders_options proofs = {.uses.proofs = true};
    struct input *trace = &job->trace;
    if (!is_first)
        reader_rewind(trace->reader, NULL);
    progress_phase(job->report.progress, PHASE_READING, trace->source);
    if (is_first)
        expect_phases(job);
    pass_free(&job->pass);
    enum status status = pass_init(&job->pass, held_by, trace->reader->explicit_time, why);
    job->pass.interrupt = signals_interrupt();
    job->pass.progress = (struct propagation_progress){see_propagation, job};
    if (status == STATUS_OK)
        status = recorders_open(&job->pass, &proofs, why);
    if (status == STATUS_OK)
        status = read_input(job, trace, &job->pass, is_first ? &trace->recording : NULL, why);
    if (!is_first)
        return reader_check(trace->reader, status, trace->digest, why);
    trace->digest = reader_digest(trace->reader);
    return status;
}

/* Reads RECORDED, if it was given, and decides how to compare. */
static enum status find_basis(struct compare_job *job, struct failure *why)
{
    struct input *trace = &job->trace, *recorded = trace;
    trace->recording.name = trace->reader->name;
    trace->recording.unfinished = trace->reader->unfinished;
    enum status status = STATUS_OK;
    if (job->recorded.reader) {
        recorded = &job->recorded;
        recorded->recording.name = recorded->reader->name;
        progress_phase(job->report.progress, PHASE_READING, recorded->source);
        status = read_input(job, recorded, NULL, &recorded->recording, why);
        recorded->recording.unfinished = recorded->reader->unfinished;
    }
    progress_phase(job->report.progress, PHASE_COMPARING, NULL);
    if (status == STATUS_OK)
        status = alignment_init(&job->alignment, &trace->recording, &recorded->recording,
                                &job->pass.clock, job->report.options->compare_by,
                                signals_interrupt(), why);
    if (status != STATUS_OK || recorded->recording.death_count > 0)
        return status;
    return fail_at(why, STATUS_MEANING, recorded->reader->name, 0,
                   "The file has no recorded deaths to compare");
}

static enum status compare_traces_compute(struct compare_job *job, enum unallocated unallocated,
                                          struct failure *why)
{
    progress_phase(job->report.progress, PHASE_PROPAGATION, NULL);
    deaths_free(&job->deaths);
    enum status status = deaths_compute(&job->deaths, &job->pass, unallocated, why);
    progress_phase(job->report.progress, PHASE_COMPARING, NULL);
    return status;
}

/* Compares under the assumptions of the options. */
static enum status compare_once(struct compare_job *job, struct print *print, bool *differs,
                                struct failure *why)
{
    const struct options *options = job->report.options;
    struct comparison comparison = {.alignment = NULL};
    enum status status = read_trace(job, options->assumptions.held_by, true, why);
    if (status == STATUS_OK)
        status = find_basis(job, why);
    if (status == STATUS_OK)
        status = compare_traces_compute(job, options->assumptions.unallocated, why);
    if (status == STATUS_OK)
        status = compare(&comparison, &job->alignment, &job->deaths,
                         options->assumptions.at_end, why);
    if (status == STATUS_OK) {
        report_job_stop(&job->report);
        struct trace_origin origin = origin_of(job->trace.reader, &options->assumptions);
        compare_print(print, options->format, &comparison, &origin, options->show);
        *differs = !compare_agrees(&comparison.figures);
    }
    compare_free(&comparison);
    return status;
}

/* Compares under `assumptions`, and adds the result to the list. */
static enum status add_agreement(struct compare_job *job, const struct assumptions *assumptions,
                                 struct failure *why)
{
    struct comparison comparison;
    enum status status =
        compare(&comparison, &job->alignment, &job->deaths, assumptions->at_end, why);
    job->agreements[job->agreement_count++] =
        (struct agreement){*assumptions, comparison.figures};
    compare_free(&comparison);
    return status;
}

/* Compares under all assumptions with this value of --held-by. */
static enum status add_agreements(struct compare_job *job, enum held_by held_by,
                                  struct failure *why)
{
    bool is_first = job->agreement_count == 0;
    enum status status = read_trace(job, held_by, is_first, why);
    if (status == STATUS_OK && is_first)
        status = find_basis(job, why);
    for (unsigned i = 0; i < UNALLOCATEDS && status == STATUS_OK; i++) {
        struct assumptions assumptions = {held_by, (enum unallocated)i, AT_END_NONE};
        status = compare_traces_compute(job, assumptions.unallocated, why);
        if (status == STATUS_OK)
            status = add_agreement(job, &assumptions, why);
        assumptions.at_end = AT_END_DIE;
        if (status == STATUS_OK)
            status = add_agreement(job, &assumptions, why);
    }
    return status;
}

static enum status compare_all(struct compare_job *job, struct print *print, bool *differs,
                               struct failure *why)
{
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < HELD_BYS && status == STATUS_OK; i++)
        status = add_agreements(job, (enum held_by)i, why);
    if (status != STATUS_OK)
        return status;
    report_job_stop(&job->report);
    const struct agreement *agreements = job->agreements;
    agreement_sort(job->agreements, job->agreement_count);
    *differs = !compare_agrees(&agreements[0].figures);
    const struct trace_origin origin = origin_of(job->trace.reader, NULL);
    compare_print_all(print, job->report.options->format, &job->alignment, &origin, agreements,
                      job->agreement_count);
    return STATUS_OK;
}

static enum status compare_traces_run(struct compare_job *job, bool *differs,
                                      struct failure *why)
{
    const struct options *options = job->report.options;
    struct print print = {.sink = job->report.sink, .why = why};
    enum status status = options->compare_all ? compare_all(job, &print, differs, why)
                                              : compare_once(job, &print, differs, why);
    if (status != STATUS_OK)
        return status;
    job->report.malformed = job->trace.malformed;
    status = report_job_commit(&job->report, &print, why);
    if (status == STATUS_OK && job->recorded.reader && !options->quiet)
        remarks_print_passed_over(job->recorded.reader, job->recorded.malformed);
    return status;
}

enum status compare_traces(const struct options *options, bool *differs, struct failure *why)
{
    struct compare_job job = {.agreement_count = 0};
    enum status status = open_trace(&job, options, why);
    if (status == STATUS_OK && options->recorded)
        status = open_recorded(&job, options, why);
    if (status == STATUS_OK)
        status = compare_traces_run(&job, differs, why);
    report_job_stop(&job.report);
    alignment_free(&job.alignment);
    deaths_free(&job.deaths);
    pass_free(&job.pass);
    recording_free(&job.trace.recording);
    recording_free(&job.recorded.recording);
    reader_close(job.recorded.reader);
    source_close(job.recorded.source);
    return report_job_close(&job.report, status, why);
}
