/* SPDX-License-Identifier: MIT */
/* Compares recorded deaths with computed ones: under the assumptions of the options, or,
 * with --compare-all, under all of them: a table is made for each value of --held-by, windows
 * also for each of --unallocated. The recorded deaths are read once. */
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
    struct engine *engine;
    bool has_recording; /* the first reading of the trace is over */
    struct alignment alignment;
    struct agreement agreements[HELD_BYS * UNALLOCATEDS * AT_ENDS];
    size_t agreement_count;
};

static enum status open_trace(struct compare_job *job, const struct options *options,
                              struct failure *why)
{
    struct report_job *report = &job->report;
    TRY(report_job_open(report, options, &options->reader, why));
    job->trace.source = report->source;
    job->trace.reader = report->reader;
    return streams_check_computable(report->reader, why);
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

/* Announces the phases that follow once the first reading has begun. */
static void expect_phases(struct compare_job *job)
{
    bool is_all = job->report.options->compare_all;
    bool has_table = engine_has_phase(job->engine, ENGINE_PROPAGATION);
    const unsigned computed = is_all ? HELD_BYS * UNALLOCATEDS : 1;
    const unsigned readings = is_all && has_table ? HELD_BYS : computed;
    struct phases_to_come later = engine_phases_to_come(job->engine, computed);
    later.times[PHASE_READING] = readings - 1 + (job->recorded.reader != NULL);
    later.times[PHASE_COMPARING] = computed + is_all;
    progress_expect(job->report.progress, &later);
}

/* What has been recorded of the trace is dropped where a table gives way to windows. */
static void restart_recording(struct compare_job *job)
{
    struct input *trace = &job->trace;
    recording_free(&trace->recording);
    trace->recording = (struct recording){.name = trace->reader->name,
                                          .explicit_time = trace->reader->explicit_time};
    trace->malformed = 0;
}

static void see_phase(void *context, enum engine_phase phase)
{
    struct compare_job *job = context;
    bool reads = phase == ENGINE_READING;
    progress_phase(job->report.progress, engine_phase_shown(phase),
                   reads ? job->trace.source : NULL);
    if (!reads || job->has_recording)
        return;
    restart_recording(job);
    expect_phases(job);
}

/* Adds a batch of an input to what is recorded of it. */
static enum status record_batch(struct input *input, const struct batch *batch,
                                struct failure *why)
{
    input->malformed += batch->malformed;
    return recording_add(&input->recording, batch, why);
}

static enum status see_batch(void *context, const struct batch *batch, struct failure *why)
{
    struct compare_job *job = context;
    progress_count(job->report.progress, batch->count, engine_named(job->engine));
    return job->has_recording ? STATUS_OK : record_batch(&job->trace, batch, why);
}

static void see_progress(void *context, uint64_t done, uint64_t of)
{
    const struct compare_job *job = context;
    progress_step(job->report.progress, done, of);
}

/* Reads the trace and finds the deaths; the first time it is also recorded. */
static enum status read_trace(struct compare_job *job, const struct assumptions *assumptions,
                              struct failure *why)
{
    struct reader *reader = job->trace.reader;
    struct engine_options how = engine_setup(job->report.options);
    how.held_by = assumptions->held_by;
    how.unallocated = assumptions->unallocated;
    how.is_for_reports = true;
    how.without_sizes = true;
    how.wants = WANT_LIVES | WANT_CLOCK | WANT_PROOFS;
    how.observer = (struct engine_observer){see_phase, see_batch, see_progress, job};
    if (job->engine && !engine_has_phase(job->engine, ENGINE_PROPAGATION))
        how.settings.choice = ENGINE_WINDOWS; /* the table did not fit before */
    engine_close(job->engine);
    job->engine = NULL;
    if (job->has_recording)
        reader_rewind(reader, NULL);
    TRY(engine_open(&job->engine, &how, reader, why));
    enum status status = engine_run(job->engine, why);
    if (status == STATUS_OK)
        status = source_check(job->trace.source, false, why);
    if (job->has_recording)
        return reader_check(reader, status, job->trace.digest, why);
    job->has_recording = true;
    job->trace.digest = reader_digest(reader);
    job->trace.recording.unfinished = reader->unfinished;
    return status;
}

/* Sets *lives to the lives under these assumptions; what is alive at the end survives. */
static enum status find_lives(struct compare_job *job, const struct assumptions *assumptions,
                              bool has_table, const struct life_stream **lives,
                              struct failure *why)
{
    TRY(has_table ? engine_compute_again(job->engine, assumptions->unallocated, why)
                  : read_trace(job, assumptions, why));
    job->alignment.clock = &engine_pass(job->engine)->clock;
    return engine_lives(job->engine, lives, why);
}

static enum status compare_recorded_batch(void *context, const struct batch *batch,
                                          struct failure *why)
{
    struct compare_job *job = context;
    progress_count(job->report.progress, batch->count, engine_named(job->engine));
    return record_batch(&job->recorded, batch, why);
}

static enum status read_recorded(struct compare_job *job, struct failure *why)
{
    struct input *recorded = &job->recorded;
    recorded->recording.name = recorded->reader->name;
    recorded->recording.explicit_time = recorded->reader->explicit_time;
    progress_phase(job->report.progress, PHASE_READING, recorded->source);
    enum status status = readahead_visit(recorded->reader, job->report.options->engine.threads,
                                         compare_recorded_batch, job, why);
    recorded->recording.unfinished = recorded->reader->unfinished;
    return status;
}

/* Reads RECORDED, if it was given, and decides how to compare. */
static enum status find_basis(struct compare_job *job, struct failure *why)
{
    struct input *recorded = job->recorded.reader ? &job->recorded : &job->trace;
    if (job->recorded.reader)
        TRY(read_recorded(job, why));
    progress_phase(job->report.progress, PHASE_COMPARING, NULL);
    TRY(alignment_init(&job->alignment, &job->trace.recording, &recorded->recording,
                       &engine_pass(job->engine)->clock, job->report.options->compare_by,
                       signals_interrupt(), why));
    if (recorded->recording.death_count > 0)
        return STATUS_OK;
    return fail_at(why, STATUS_MEANING, recorded->reader->name, 0,
                   "The file has no recorded deaths to compare");
}

/* Compares under the assumptions of the options. */
static enum status compare_once(struct compare_job *job, struct print *print, bool *differs,
                                struct failure *why)
{
    const struct options *options = job->report.options;
    struct comparison comparison = {.alignment = NULL};
    const struct life_stream *lives;
    TRY(find_lives(job, &options->assumptions, false, &lives, why));
    TRY(find_basis(job, why));
    enum status status =
        compare(&comparison, &job->alignment, lives, options->assumptions.at_end, why);
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
static enum status add_agreement(struct compare_job *job, const struct life_stream *lives,
                                 const struct assumptions *assumptions, struct failure *why)
{
    struct comparison comparison;
    enum status status = compare(&comparison, &job->alignment, lives, assumptions->at_end, why);
    job->agreements[job->agreement_count++] =
        (struct agreement){*assumptions, comparison.figures};
    compare_free(&comparison);
    return status;
}

/* Compares under all assumptions with this value of --held-by. */
static enum status add_agreements(struct compare_job *job, enum held_by held_by,
                                  struct failure *why)
{
    const struct life_stream *lives;
    for (unsigned i = 0; i < UNALLOCATEDS; i++) {
        struct assumptions assumptions = {held_by, (enum unallocated)i, AT_END_NONE};
        bool has_table = i > 0 && engine_has_phase(job->engine, ENGINE_PROPAGATION);
        TRY(find_lives(job, &assumptions, has_table, &lives, why));
        if (job->agreement_count == 0)
            TRY(find_basis(job, why));
        progress_phase(job->report.progress, PHASE_COMPARING, NULL);
        TRY(add_agreement(job, lives, &assumptions, why));
        assumptions.at_end = AT_END_DIE;
        TRY(add_agreement(job, lives, &assumptions, why));
    }
    return STATUS_OK;
}

static enum status compare_all(struct compare_job *job, struct print *print, bool *differs,
                               struct failure *why)
{
    for (unsigned i = 0; i < HELD_BYS; i++)
        TRY(add_agreements(job, (enum held_by)i, why));
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
    TRY(options->compare_all ? compare_all(job, &print, differs, why)
                             : compare_once(job, &print, differs, why));
    job->report.malformed = job->trace.malformed;
    TRY(report_job_commit(&job->report, &print, why));
    if (job->recorded.reader && !options->quiet)
        remarks_print_passed_over(job->recorded.reader, job->recorded.malformed);
    return STATUS_OK;
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
    engine_close(job.engine);
    recording_free(&job.trace.recording);
    recording_free(&job.recorded.recording);
    reader_close(job.recorded.reader);
    source_close(job.recorded.source);
    return report_job_close(&job.report, status, why);
}
