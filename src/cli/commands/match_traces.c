/* SPDX-License-Identifier: MIT */
/* Matches two runs. First A is read, and all but what the match needs of it is released; then B
 * is read. Whether a trace has deaths is known only when it is read: at the first one, the
 * computation is given up, and the deaths of the trace are taken. */
#include "base/memory.h"
#include "cli/commands/commands.h"
#include "cli/commands/job.h"
#include "cli/files/outputs.h"
#include "cli/files/report_files.h"
#include "cli/files/streams.h"
#include "cli/process/process.h"
#include "formats/formats.h"
#include "formats/name_lists.h"
#include "merlin/recorded_times.h"
#include "report/match/match.h"
#include "report/page/page.h"

/* One of the two traces. */
struct match_input {
    struct match_job *job;
    const char *path;
    struct source *source;
    struct reader *reader;
    struct names *lists; /* owned; NULL: the trace has names itself */
    struct list_remarks remarks;
    struct reports *reports; /* on it; NULL: none */
    struct engine *engine;
    bool is_recorded; /* its deaths are those in the trace */
    uint64_t malformed;
};

struct match_job {
    const struct options *options;
    struct report_job report;
    struct report_files *files;
    struct match_input inputs[RUNS]; /* B's source and reader are those of `report` */
    struct run_common common;
    struct run runs[RUNS];
    struct run_match match;
    struct page_match page; /* what the page shows of A, and of the sites of both */
};

static const struct names *names_of(const struct match_input *input)
{
    return input->lists ? input->lists : input->reader->names;
}

static bool has_names(const struct match_input *input)
{
    return !input->lists || names_exist(input->lists);
}

/* Reads the name lists of a trace that has no names itself. */
static enum status read_names(struct match_input *input, struct failure *why)
{
    bool is_file = !is_standard_stream(input->path);
    const struct lists_wanted wanted = {.trace = is_file ? input->path : NULL,
                                        .mark = &input->reader->mark};
    if (input->reader->names)
        return STATUS_OK;
    TRY(names_new(&input->lists, why));
    TRY(inputs_protect_lists(&wanted, why));
    return name_lists_read(input->lists, &wanted, signals_interrupt(), &input->remarks, why);
}

static enum status open_a(struct match_job *job, struct failure *why)
{
    const struct options *options = job->report.options;
    struct match_input *a = &job->inputs[RUN_A];
    TRY(streams_open_input(&a->source, options, a->path, why));
    TRY(inputs_protect_second(a->path, "the trace to match with", why));
    TRY(formats_open_reader(&a->reader, a->source, &options->reader, why));
    TRY(inputs_protect(options, a->reader, a->source, why));
    return streams_check_format(options, a->reader, why);
}

/* Traces with threads and traces without have no threads to pair. */
static enum status check_dialects(const struct match_job *job, struct failure *why)
{
    const struct reader *a = job->inputs[RUN_A].reader, *b = job->inputs[RUN_B].reader;
    static const char *const dialects[] = {"threads", "explicit times instead of threads"};
    if (a->explicit_time == b->explicit_time)
        return STATUS_OK;
    return fail_at(why, STATUS_MEANING, b->name, 0,
                   "The traces are of different dialects: this one has %s, and %s has %s",
                   dialects[b->explicit_time], a->name, dialects[a->explicit_time]);
}

static enum status match_traces_open(struct match_job *job, struct failure *why)
{
    struct report_job *report = &job->report;
    struct match_input *b = &job->inputs[RUN_B];
    job->inputs[RUN_A].path = job->options->match;
    b->path = job->options->trace;
    job->inputs[RUN_A].job = b->job = job;
    TRY(report_job_open(report, job->options, &job->options->reader, why));
    b->source = report->source;
    b->reader = report->reader;
    TRY(report_files_open(&job->files, job->options, &report->outputs, b->source, why));
    TRY(inputs_protect(job->options, b->reader, b->source, why));
    TRY(open_a(job, why));
    TRY(check_dialects(job, why));
    for (unsigned i = 0; i < RUNS; i++)
        TRY(read_names(&job->inputs[i], why));
    b->reports = report_files_reports(job->files);
    report_files_take_names(job->files, b->lists);
    report_files_take_reader(job->files, b->reader);
    return site_list_open(&job->common.sites, &job->options->source.temporary, why);
}

static void see_phase(void *context, enum engine_phase phase)
{
    const struct match_input *input = context;
    if (phase == ENGINE_READING)
        reports_restart(input->reports);
    progress_phase(input->job->report.progress, engine_phase_shown(phase),
                   phase == ENGINE_READING ? input->source : NULL);
}

/* Gives the computation up at the first death in the trace. */
static enum status see_batch(void *context, const struct batch *batch, struct failure *why)
{
    struct match_input *input = context;
    progress_count(input->job->report.progress, batch->count, engine_named(input->engine));
    if (!input->is_recorded && engine_counts(input->engine)->records[RECORD_DEATH] > 0) {
        input->is_recorded = true;
        return fail_at(why, STATUS_MEANING, input->reader->name, 0, "The trace has deaths");
    }
    return reports_read(input->reports, batch, why);
}

static void see_progress(void *context, uint64_t done, uint64_t of)
{
    const struct match_input *input = context;
    progress_step(input->job->report.progress, done, of);
}

/* Finds the deaths of a trace, or takes those that it has. */
static enum status run_engine(struct match_input *input, struct failure *why)
{
    const struct options *options = input->job->options;
    struct engine_options how = engine_setup(options);
    how.is_recorded = input->is_recorded;
    how.is_for_reports = true;
    how.wants = WANT_LIVES | WANT_CONTEXTS | reports_wants(input->reports);
    how.observer = (struct engine_observer){see_phase, see_batch, see_progress, input};
    TRY(engine_open(&input->engine, &how, input->reader, why));
    return engine_run(input->engine, why);
}

static enum status find_lives(struct match_input *input, struct failure *why)
{
    /* Frees count even if nothing was freed: then all objects are alive at the end. */
    bool takes_recorded =
        input->reader->methods->holds_lifetimes || input->job->options->reader.deaths_from_free;
    input->is_recorded = takes_recorded;
    enum status status = run_engine(input, why);
    if (status != STATUS_MEANING || !input->is_recorded || takes_recorded)
        return status;
    struct recorded_times times;
    failure_clear(why);
    engine_close(input->engine);
    input->engine = NULL;
    reader_rewind(input->reader, NULL);
    TRY(recorded_times_check(input->reader, input->job->report.options->engine.threads, &times,
                             why));
    return reader_check(input->reader, run_engine(input, why), times.digest, why);
}

/* Keeps the live heap of A for the page. */
static enum status take_heap(struct match_job *job, const struct life_stream *stream,
                             struct failure *why)
{
    job->page.name = job->inputs[RUN_A].reader->name;
    job->page.unfinished = job->inputs[RUN_A].reader->unfinished;
    return page_heap_find(&job->page.heap, stream, why);
}

/* Reads the trace of a run, and keeps what the match needs. */
static enum status take_run(struct match_job *job, unsigned number, struct failure *why)
{
    struct match_input *input = &job->inputs[number];
    bool by_names = has_names(&job->inputs[RUN_A]) && has_names(&job->inputs[RUN_B]);
    struct run_source source = {
        .names = by_names ? names_of(input) : NULL,
        .temporary = &job->options->source.temporary,
    };
    enum status status = find_lives(input, why);
    progress_phase(job->report.progress, PHASE_COMPARING, NULL);
    if (status != STATUS_OK)
        return status;
    TRY(reports_begin(input->reports, input->engine, why));
    TRY(engine_lives(input->engine, &source.stream, why));
    if (number == RUN_A && job->options->reports[REPORT_PAGE])
        TRY(take_heap(job, source.stream, why));
    input->malformed = engine_counts(input->engine)->malformed;
    source.pass = engine_pass(input->engine);
    TRY(run_take(job->runs, number, &job->common, &source, why));
    if (job->runs[number].allocations == 0)
        return fail_at(why, STATUS_MEANING, input->reader->name, 0,
                       "No object is allocated here, so there is nothing to match");
    return source_check(input->source, false, why);
}

static enum status take_runs(struct match_job *job, struct failure *why)
{
    struct match_input *a = &job->inputs[RUN_A];
    enum status status = take_run(job, RUN_A, why);
    engine_close(a->engine);
    a->engine = NULL;
    memory_trim();
    return status == STATUS_OK ? take_run(job, RUN_B, why) : status;
}

static void match_traces_print(struct match_job *job, struct print *print)
{
    const struct options *options = job->options;
    const struct match_input *a = &job->inputs[RUN_A], *b = &job->inputs[RUN_B];
    bool is_computed = !a->is_recorded || !b->is_recorded;
    const struct match_origin origin = {
        .trace = origin_of(b->reader, is_computed ? &options->assumptions : NULL),
        .a = a->reader->name,
        .a_unfinished = a->reader->unfinished,
        .has_names = {has_names(a), has_names(b)},
        .is_recorded = {a->is_recorded, b->is_recorded},
        .purity = options->purity,
    };
    match_print(print, options->format, &job->match, &origin);
}

/* Remarks that lifetimes mean nothing, if the clock of bytes stands still. */
static void print_sizeless(const struct match_job *job)
{
    for (unsigned i = 0; i < RUNS; i++)
        if (job->runs[i].bytes == 0)
            message(
                job->inputs[i].reader->name,
                "No allocated object has a size, so that all lifetimes are 0 bytes: --match "
                "compares allocations here, but no lifetimes");
}

static void print_remarks(const struct match_job *job)
{
    const struct match_input *a = &job->inputs[RUN_A], *b = &job->inputs[RUN_B];
    if (job->options->quiet)
        return;
    print_sizeless(job);
    for (unsigned i = 0; i < RUNS; i++)
        remarks_print_early(job->inputs[i].reader,
                            job->inputs[i].is_recorded ? NULL : &job->options->assumptions);
    remarks_print_passed_over(a->reader, a->malformed);
    remarks_print_lists(a->reader, &a->remarks);
    remarks_print_lists(b->reader, &b->remarks);
}

static enum status match_traces_run(struct match_job *job, bool *differs, struct failure *why)
{
    struct report_job *report = &job->report;
    struct print print = {.sink = report->sink, .why = why};
    job->common.threshold = job->options->long_threshold;
    TRY(take_runs(job, why));
    TRY(match_runs(&job->match, job->runs, &job->common, job->options->purity,
                   signals_interrupt(), why));
    *differs = !match_is_whole(&job->match);
    job->page.changed = job->match.changed_count;
    job->page.sites = match_changed(&job->match);
    reports_set_match(job->inputs[RUN_B].reports, &job->match, &job->page);
    TRY(reports_finish(job->inputs[RUN_B].reports, why));
    report_job_stop(report);
    match_traces_print(job, &print);
    report->malformed = job->inputs[RUN_B].malformed;
    TRY(report_files_end(job->files, why));
    TRY(report_job_commit(report, &print, why));
    TRY(report_files_commit(job->files, why));
    print_remarks(job);
    return STATUS_OK;
}

static void match_traces_close(struct match_job *job)
{
    report_files_close(job->files);
    match_free(&job->match);
    for (unsigned i = 0; i < RUNS; i++) {
        run_free(&job->runs[i]);
        names_free(job->inputs[i].lists);
        list_remarks_free(&job->inputs[i].remarks);
    }
    site_list_free(&job->common.sites);
    vocabulary_free(&job->common.vocabulary);
    engine_close(job->inputs[RUN_A].engine);
    engine_close(job->inputs[RUN_B].engine);
    reader_close(job->inputs[RUN_A].reader);
    source_close(job->inputs[RUN_A].source);
}

enum status match_traces(const struct options *options, bool *differs, struct failure *why)
{
    struct match_job job = {.options = options, .report.options = options};
    enum status status = outputs_add_reports(&job.report.outputs, options, options->trace, why);
    if (status == STATUS_OK)
        status = match_traces_open(&job, why);
    if (status == STATUS_OK)
        status = match_traces_run(&job, differs, why);
    report_job_stop(&job.report);
    match_traces_close(&job);
    return report_job_close(&job.report, status, why);
}
