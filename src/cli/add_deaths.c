/* SPDX-License-Identifier: MIT */
/* The main job: pass 1, propagation, pass 2, verification. Input and output are opened before
 * any work, and nothing is written before all of the input has been read. */
#include "base/memory.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/companion.h"
#include "cli/inputs.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/remarks.h"
#include "cli/report_files.h"
#include "cli/report_names.h"
#include "cli/report_options.h"
#include "cli/shortage.h"
#include "cli/signals.h"
#include "cli/streams.h"
#include "cli/summary.h"
#include "cli/table_budget.h"
#include "formats/formats.h"
#include "merlin/recorded_times.h"
#include "merlin/verify.h"
#include "merlin/windows/windows.h"
#include "trace/readahead.h"
#include "trace/rewrite.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

/* What is open during the job. */
struct deaths_job {
    struct options adapted; /* those of the user, and what the format of the trace implies */
    const struct options *options; /* these */
    struct source *source;
    struct reader *reader;
    struct sink *sink;     /* NULL: no trace is written */
    struct writer *writer; /* the same */
    struct report_files *report_files;
    struct reports *reports; /* in these files; NULL: none */
    struct sink *companion;  /* NULL: none is to be written */
    bool output_is_file;
    struct progress *progress;
    struct history history;  /* of the table engine */
    struct windows *windows; /* the other engine; NULL: it is not used */
    struct table_budget budget;
    bool table_is_full; /* there was no memory for it, or it is beyond the budget */
    struct deaths deaths;
    struct numbering *numbering; /* NULL: ids stay */
    uint64_t digest;
    struct phase_times times;
};

static double add_deaths_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* What the first reading has met so far. */
static const struct trace_counts *counts_so_far(const struct deaths_job *job)
{
    return job->windows ? windows_counts(job->windows) : &job->history.counts;
}

/* A trace that has deaths is refused unless they are to be replaced. */
static enum status refuse_deaths(const struct deaths_job *job, const struct batch *batch,
                                 struct failure *why)
{
    if (job->options->replace_deaths || job->options->no_deaths ||
        counts_so_far(job)->records[RECORD_DEATH] == 0)
        return STATUS_OK;
    const struct record *record = batch->records;
    while (record->kind != RECORD_DEATH)
        record++;
    char shown[TEXT_QUOTE_SIZE];
    return fail_at(
        why, STATUS_MEANING, job->reader->name, batch->first_line + record->line,
        "The trace has deaths already; --replace-deaths computes them anew: %s",
        text_quote(shown, batch->text + record->begin,
                   text_line_length(batch->text + record->begin, record->end - record->begin)));
}

/* Shows the records of a batch to the engine. */
static enum status compute_batch(struct deaths_job *job, const struct batch *batch,
                                 struct failure *why)
{
    uint64_t objects;
    enum status status = job->windows ? windows_add(job->windows, batch, why)
                                      : history_add(&job->history, batch, why);
    objects =
        job->windows ? windows_named(job->windows) : objects_count(job->history.heap.objects);
    progress_count(job->progress, batch->count, objects);
    if (job->windows)
        return status;
    job->table_is_full =
        status == STATUS_MEMORY || table_budget_exceeded(&job->budget, &job->history.heap);
    return status == STATUS_OK && job->table_is_full ? fail_memory(why) : status;
}

static enum status add_batch(void *context, const struct batch *batch, struct failure *why)
{
    struct deaths_job *job = context;
    enum status status = compute_batch(job, batch, why);
    if (status == STATUS_OK)
        status = refuse_deaths(job, batch, why);
    return status == STATUS_OK ? reports_read(job->reports, batch, why) : status;
}

static enum status add_deaths_read_history(struct deaths_job *job, struct failure *why)
{
    enum status status =
        readahead_visit(job->reader, job->options->threads, add_batch, job, why);
    job->digest = reader_digest(job->reader);
    return status;
}

static enum status open_writer(struct deaths_job *job, struct failure *why)
{
    const struct options *options = job->options;
    struct writer_options how = options->writer;
    how.explicit_time = job->reader->explicit_time;
    how.place = options->source.place;
    enum status status = STATUS_OK;
    /* Deaths that the trace has go into the output; those of lifetimes have its only clock. */
    if (options->no_deaths && !job->reader->methods->holds_lifetimes &&
        formats_order_deaths(options->to))
        status = recorded_times_check(job->reader, options->threads, &how.deaths_by_place, why);
    if (status == STATUS_OK)
        status = formats_open_writer(&job->writer, options->to, job->sink, &how, why);
    if (status == STATUS_OK && options->in_place && !is_same_format(job->reader, job->writer))
        return fail(
            why, STATUS_MEANING,
            "--in-place would replace a trace in the format %s by one in the format %s; "
            "--output or --suffix writes to another file",
            job->reader->methods->name, job->writer->methods->name);
    if (status == STATUS_OK && options->verify && !is_same_format(job->reader, job->writer))
        return fail(why, STATUS_MEANING,
                    "--verify checks an output in the format of the input: it cannot be used "
                    "to go from %s to %s",
                    job->reader->methods->name, job->writer->methods->name);
    if (status == STATUS_OK)
        job->output_is_file = sink_temporary(job->sink) != NULL;
    if (status == STATUS_OK)
        status = companion_open(&job->companion, job->writer->methods->companion, job->sink,
                                options->force, why);
    return status;
}

/* If there is nothing in the trace that deaths could be computed from, it is only converted,
 * and reports are on the deaths that it has. */
static enum status adapt_to_format(struct deaths_job *job, struct failure *why)
{
    const struct options *options = job->options;
    if (!job->reader->methods->holds_lifetimes)
        return STATUS_OK;
    job->adapted.no_deaths = true;
    if (options->replace_deaths || options->deaths_only || options->verify ||
        options->renumber || options_report_needs(options) & REPORT_NEEDS_COMPUTED)
        return streams_check_computable(job->reader, why);
    return STATUS_OK;
}

static void take_reports(struct deaths_job *job)
{
    job->reports = report_files_reports(job->report_files);
    report_files_take_reader(job->report_files, job->reader);
}

static enum status prepare_reports(struct deaths_job *job, struct failure *why)
{
    const struct options *options = job->options;
    take_reports(job);
    return reports_prepare(job->reports, &job->history, options->no_deaths,
                           &options->source.place, why);
}

static void show_windows(void *context, bool backward, uint64_t records, uint64_t of)
{
    const struct deaths_job *job = context;
    struct progress *progress = job->progress;
    if (records == 0)
        progress_phase(progress, backward ? PHASE_MENTIONS : PHASE_WINDOWS, NULL);
    progress_step(progress, records, of);
}

/* The weight of a window, from a test that wants small ones; 0: the default. */
static uint64_t window_of_test(void)
{
    const char *text = getenv("ETMERLIN_WINDOW");
    return text ? strtoull(text, NULL, 10) : 0;
}

/* Has the history of windows keep what the reports tell. */
static enum status prepare_windows(void *context, struct history *history, struct failure *why)
{
    struct deaths_job *job = context;
    return reports_prepare(job->reports, history, false, &job->options->source.place, why);
}

static enum status open_windows(struct deaths_job *job, struct failure *why)
{
    const struct options *options = job->options;
    take_reports(job);
    reports_use_stored(job->reports);
    struct windows_options how = {
        .held_by = options->held_by,
        .unallocated = options->unallocated,
        .explicit_time = job->reader->explicit_time,
        .threads = options->threads,
        .window = window_of_test(),
        .place = options->source.place,
        .interrupt = signals_interrupt(),
        .progress = show_windows,
        .context = job,
    };
    if (reports_needs(job->reports) & REPORT_NEEDS_LIVES)
        how.prepare = prepare_windows;
    return windows_open(&job->windows, &how, why);
}

static enum status open_history(struct deaths_job *job, struct failure *why)
{
    const struct options *options = job->options;
    enum status status =
        history_init(&job->history, options->held_by, job->reader->explicit_time, why);
    if (status == STATUS_OK && job->reader->methods->holds_lifetimes)
        history_tick_by_time(&job->history);
    job->history.threads = options->threads;
    job->history.interrupt = signals_interrupt();
    if (!options->no_deaths)
        job->budget = table_budget_of(options);
    return status == STATUS_OK ? prepare_reports(job, why) : status;
}

static enum status add_deaths_open_job(struct deaths_job *job, struct failure *why)
{
    const struct options *options = job->options;
    bool writes_trace = options_write_trace(options);
    enum status status = streams_open_input(&job->source, options, options->trace, why);
    if (status == STATUS_OK)
        status = report_files_open(&job->report_files, options, job->source, why);
    if (status == STATUS_OK && writes_trace)
        status = streams_open_output(&job->sink, options, job->source, why);
    if (status == STATUS_OK)
        status = progress_start(&job->progress, options, job->source, why);
    if (status == STATUS_OK)
        status = formats_open_reader(&job->reader, job->source, &options->reader, why);
    if (status == STATUS_OK)
        status = adapt_to_format(job, why);
    if (status == STATUS_OK)
        status = streams_check_format(options, job->reader, why);
    if (status == STATUS_OK && options->in_place && job->reader->methods->index)
        status =
            fail_at(why, STATUS_MEANING, job->reader->name, 0,
                    "--in-place cannot replace this file: it stands for a trace of several");
    if (status == STATUS_OK && writes_trace)
        status = open_writer(job, why);
    if (status == STATUS_OK)
        status = inputs_protect(options, job->reader, job->source, why);
    if (status == STATUS_OK)
        status = options->engine == ENGINE_WINDOWS && !options->no_deaths
                     ? open_windows(job, why)
                     : open_history(job, why);
    return status;
}

/* Reads the output back. */
static enum status verify_file(struct deaths_job *job, const struct merge_options *how,
                               uint64_t text, struct failure *why)
{
    struct source_options source_how = {.spool = SPOOL_NEVER, .interrupt = signals_interrupt()};
    struct reader_options reader_how = job->options->reader;
    reader_how.dialect = job->reader->explicit_time ? DIALECT_TIME : DIALECT_THREAD;
    if (reader_how.update_order == UPDATE_ORDER_AUTO)
        reader_how.update_order = UPDATE_ORDER_CONTAINER;
    struct source *source;
    struct reader *reader = NULL;
    enum status status = source_open(&source, sink_temporary(job->sink), &source_how, why);
    if (status != STATUS_OK)
        return status;
    progress_phase(job->progress, PHASE_VERIFYING, source);
    status = formats_open_reader(&reader, source, &reader_how, why);
    if (status == STATUS_OK)
        reader->name = sink_name(job->sink);
    if (status == STATUS_OK)
        status = verify(reader, &job->deaths, text, how, why);
    progress_phase(job->progress, PHASE_VERIFYING, NULL);
    reader_close(reader);
    source_close(source);
    return status;
}

static enum status verify_output(struct deaths_job *job, const struct merge_options *how,
                                 struct failure *why)
{
    uint64_t text = job->digest;
    enum status status = sink_finish(job->sink, why);
    if (status == STATUS_OK && counts_so_far(job)->records[RECORD_DEATH] > 0)
        status = merge_check(job->reader,
                             digest_without_deaths(job->reader, how->threads, &text, why),
                             job->digest, why);
    return status == STATUS_OK ? verify_file(job, how, text, why) : status;
}

/* Writes what is left of the reports and gives all outputs their names, if the input is still
 * what was read. */
static enum status commit(struct deaths_job *job, struct failure *why)
{
    enum status status = reports_finish(job->reports, why);
    if (status == STATUS_OK)
        status = source_check(job->source, job->options->in_place, why);
    struct sink *sink = job->sink, *companion = job->companion;
    if (status == STATUS_OK && sink) {
        job->sink = NULL;
        status = sink_commit(sink, why);
    }
    if (status == STATUS_OK && companion && job->writer) {
        job->companion = NULL;
        status = companion_commit(companion, job->writer->methods->companion, why);
    }
    return status == STATUS_OK ? report_files_commit(job->report_files, why) : status;
}

static enum status write_trace(struct deaths_job *job, struct failure *why)
{
    const struct options *options = job->options;
    struct merge_options how = {
        .at_end = options->at_end,
        .deaths_only = options->deaths_only,
        .thread = options->has_death_thread ? &options->death_thread : NULL,
        .threads = options->threads,
        .rewrite = job->writer && !is_same_format(job->reader, job->writer),
        .observer = reports_observer(job->reports),
        .numbering = job->numbering,
    };
    progress_phase(job->progress, PHASE_WRITING, job->source);
    enum status status = STATUS_OK;
    if (job->writer || how.observer)
        status = merge(job->reader, job->writer, &job->deaths, job->digest, &how, why);
    if (status == STATUS_OK && options->verify)
        status = verify_output(job, &how, why);
    return status == STATUS_OK ? commit(job, why) : status;
}

/* Reads the input, once or twice, for reports on the deaths that it has. */
static enum status report_recorded(struct deaths_job *job, struct failure *why)
{
    enum status status = add_deaths_read_history(job, why);
    if (status == STATUS_OK)
        status = reports_begin(job->reports, &job->history, NULL, NULL, why);
    const struct merge_observer *observer = reports_observer(job->reports);
    if (status == STATUS_OK && observer)
        status = observe(job->reader, &job->history, observer, job->digest,
                         job->options->threads, why);
    if (job->writer)
        reader_rewind(job->reader, NULL);
    return status;
}

/* Writes the input as it is, in the format of the output. */
static enum status convert_trace(struct deaths_job *job, struct failure *why)
{
    enum status status = STATUS_OK;
    if (job->reports)
        status = report_recorded(job, why);
    if (status == STATUS_OK && job->writer)
        status = convert(job->reader, job->writer, job->options->threads, why);
    return status == STATUS_OK ? commit(job, why) : status;
}

static enum status compute_deaths(struct deaths_job *job, struct failure *why)
{
    if (job->windows)
        return windows_compute(job->windows, &job->deaths, why);
    enum status status =
        deaths_compute(&job->deaths, &job->history, job->options->unallocated, why);
    job->table_is_full = status == STATUS_MEMORY;
    return status;
}

/* Pass 1 and the propagation; *read becomes the time between them. */
static enum status read_and_compute(struct deaths_job *job, double *read, struct failure *why)
{
    enum status status = add_deaths_read_history(job, why);
    *read = add_deaths_seconds();
    if (status != STATUS_OK)
        return status;
    if (!job->windows) /* which tell of their readings themselves */
        progress_phase(job->progress, PHASE_PROPAGATION, NULL);
    return compute_deaths(job, why);
}

/* Gives up a table that is too large, and begins again with windows. Input that can be read
 * only once has been copied. */
static enum status go_over_to_windows(struct deaths_job *job, struct failure *why)
{
    failure_clear(why);
    deaths_free(&job->deaths);
    history_free(&job->history);
    memory_trim();
    reader_rewind(job->reader, NULL);
    progress_phase(job->progress, PHASE_READING, job->source);
    return open_windows(job, why);
}

static enum status compute_with_either(struct deaths_job *job, double *read,
                                       struct failure *why)
{
    enum status status = read_and_compute(job, read, why);
    /* A reader that had no memory itself cannot go on, nor begin again. */
    if (status != STATUS_MEMORY || !job->table_is_full || job->budget.bytes == 0)
        return status;
    status = go_over_to_windows(job, why);
    return status == STATUS_OK ? read_and_compute(job, read, why) : status;
}

static enum status add_deaths_run(struct deaths_job *job, struct failure *why)
{
    double start = add_deaths_seconds(), read;
    enum status status = compute_with_either(job, &read, why);
    if (status == STATUS_OK && job->options->renumber)
        status = numbering_new(&job->numbering, job->history.heap.objects, why);
    if (status != STATUS_OK)
        return status;
    double computed = add_deaths_seconds();
    struct history *history = job->windows ? windows_history(job->windows) : &job->history;
    status = reports_begin(job->reports, history, &job->deaths,
                           job->numbering ? numbering_numbers(job->numbering) : NULL, why);
    if (status != STATUS_OK)
        return status;
    status = write_trace(job, why);
    double written = add_deaths_seconds();
    job->times = (struct phase_times){read - start, computed - read, written - computed};
    return status;
}

/* Says when a file that belongs beside the output has no place. */
static void print_companion(const struct deaths_job *job)
{
    const struct companion *companion = job->writer ? job->writer->methods->companion : NULL;
    if (companion && !job->output_is_file)
        message(NULL, "The file %s, which the output names, is written only beside a file",
                companion->name);
}

/* Says when rows stand in another order than that of a table, which gave way to windows. */
static void print_row_order(const struct deaths_job *job)
{
    const char *const *reports = job->options->reports;
    if (job->windows && job->options->engine == ENGINE_AUTO &&
        (reports[REPORT_LIFETIMES] || reports[REPORT_COLUMNS]))
        message(job->reader->name,
                "Memory for all objects at once was lacking: the rows of --lifetimes and "
                "--columns are in the order of death (--engine=windows)");
}

static void report(const struct deaths_job *job)
{
    uint64_t malformed = counts_so_far(job)->malformed;
    if (job->options->quiet)
        return;
    if (malformed > 0 && job->reader->methods->passes_malformed)
        message(job->reader->name, "%" PRIu64 " malformed line%s passed through", malformed,
                malformed == 1 ? " was" : "s were");
    remarks_print(job->reader);
    print_companion(job);
    print_row_order(job);
    if (!job->options->verbose)
        return;
    if (source_is_empty(job->source))
        message(job->reader->name, "The input is empty");
    if (job->options->verify)
        message(job->reader->name,
                "The output was read back and is this trace with the computed deaths");
    if (job->options->no_deaths)
        summary_print_converted(stderr, job->reader, job->options->reader.deaths_from_free);
    else
        summary_print(stderr, job->reader, &job->deaths, job->digest, &job->times);
}

static void close_job(struct deaths_job *job)
{
    progress_stop(job->progress);
    report_files_close(job->report_files);
    numbering_free(job->numbering);
    deaths_free(&job->deaths);
    history_free(&job->history);
    windows_close(job->windows);
    writer_close(job->writer);
    sink_discard(job->companion);
    reader_close(job->reader);
    sink_discard(job->sink);
    source_close(job->source);
}

enum status add_deaths(const struct options *options, struct failure *why)
{
    struct deaths_job job = {.adapted = *options};
    job.options = &job.adapted;
    struct report_names names;
    enum status status = report_names_make(&names, &job.adapted, why);
    if (status == STATUS_OK)
        status = add_deaths_open_job(&job, why);
    if (status == STATUS_OK)
        status = job.options->no_deaths ? convert_trace(&job, why) : add_deaths_run(&job, why);
    struct position position = position_now(job.progress);
    progress_stop(job.progress);
    job.progress = NULL;
    if (status == STATUS_OK)
        report(&job);
    close_job(&job);
    report_names_free(&names);
    return explain_shortage(status, &position, options, why);
}
