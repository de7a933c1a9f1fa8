/* The main job: pass 1, propagation, pass 2, verification. Input and output are opened before
 * any work, and nothing is written before all of the input has been read. */
#include "base/text.h"
#include "cli/commands.h"
#include "cli/companion.h"
#include "cli/progress.h"
#include "cli/reports.h"
#include "cli/shortage.h"
#include "cli/signals.h"
#include "cli/streams.h"
#include "cli/summary.h"
#include "formats/formats.h"
#include "merlin/verify.h"
#include "trace/readahead.h"
#include "trace/rewrite.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

/* What is open during the job. */
struct job {
    struct options asked; /* as the user did, but for what the format of the trace implies */
    const struct options *options; /* these */
    struct source *source;
    struct reader *reader;
    struct sink *sink;     /* NULL: no trace is written */
    struct writer *writer; /* the same */
    struct reports *reports;
    struct sink *companion; /* NULL: none is to be written */
    bool output_is_file;
    struct progress *progress;
    struct history history;
    struct deaths deaths;
    struct numbering *numbering; /* NULL unless asked for */
    uint64_t digest;
    struct phase_times times;
};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* A trace that has deaths is refused unless they are to be replaced. */
static enum status refuse_deaths(const struct job *job, const struct batch *batch,
                                 struct failure *why)
{
    if (job->options->replace_deaths || job->options->no_deaths ||
        job->history.counts.records[RECORD_DEATH] == 0)
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

static enum status add_batches(struct job *job, struct readahead *batches, struct failure *why)
{
    const struct batch *batch;
    enum status status;
    while ((status = readahead_next(batches, &batch, why)) == STATUS_OK &&
           (status = history_add(&job->history, batch, why)) == STATUS_OK &&
           (status = refuse_deaths(job, batch, why)) == STATUS_OK &&
           (status = reports_read(job->reports, batch, why)) == STATUS_OK)
        progress_count(job->progress, batch->count, objects_count(job->history.heap.objects));
    return status == STATUS_END ? STATUS_OK : status;
}

static enum status read_history(struct job *job, struct failure *why)
{
    struct readahead *batches;
    enum status status = readahead_open(&batches, job->reader, job->options->threads, why);
    if (status != STATUS_OK)
        return status;
    status = add_batches(job, batches, why);
    readahead_close(batches);
    job->digest = reader_digest(job->reader);
    return status;
}

static enum status open_writer(struct job *job, struct failure *why)
{
    const struct options *options = job->options;
    struct writer_options how = options->writer;
    how.explicit_time = job->reader->explicit_time;
    how.spool_folder = options->source.spool_folder;
    enum status status = formats_open_writer(&job->writer, options->to ? options->to : "et",
                                             job->sink, &how, why);
    if (status == STATUS_OK && options->in_place && !is_same_format(job->reader, job->writer))
        return fail(
            why, STATUS_MEANING,
            "--in-place would replace a trace in the format %s by one in the format %s; "
            "--output or --suffix writes to another file",
            job->reader->class->name, job->writer->class->name);
    if (status == STATUS_OK && options->verify && !is_same_format(job->reader, job->writer))
        return fail(why, STATUS_MEANING,
                    "--verify checks an output in the format of the input: it cannot be used "
                    "to go from %s to %s",
                    job->reader->class->name, job->writer->class->name);
    if (status == STATUS_OK)
        job->output_is_file = sink_temporary(job->sink) != NULL;
    if (status == STATUS_OK)
        status = companion_open(&job->companion, job->writer->class->companion, job->sink,
                                options->force, why);
    return status;
}

/* If there is nothing in the trace that deaths could be computed from, it is only converted,
 * and reports are on the deaths that it has. */
static enum status adapt_to_format(struct job *job, struct failure *why)
{
    const struct options *options = job->options;
    if (!job->reader->class->holds_lifetimes)
        return STATUS_OK;
    job->asked.no_deaths = true;
    if (options->replace_deaths || options->deaths_only || options->verify ||
        options->renumber || options->reports[REPORT_GROUPS])
        return streams_check_computable(job->reader, why);
    return STATUS_OK;
}

static enum status open_job(struct job *job, struct failure *why)
{
    const struct options *options = job->options;
    bool writes_trace = options_write_trace(options);
    enum status status = streams_open_input(&job->source, options, options->trace, why);
    if (status == STATUS_OK)
        status = reports_open(&job->reports, options, job->source, why);
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
    if (status == STATUS_OK && options->in_place && job->reader->class->index)
        status = fail_at(why, STATUS_MEANING, job->reader->name, 0,
                         "--in-place cannot replace this file: it stands for a trace of several");
    if (status == STATUS_OK && writes_trace)
        status = open_writer(job, why);
    if (status == STATUS_OK)
        status = history_init(&job->history, options->held_by, job->reader->explicit_time, why);
    if (status == STATUS_OK && job->reader->class->holds_lifetimes)
        history_tick_by_time(&job->history);
    job->history.threads = options->threads;
    if (status == STATUS_OK)
        status = reports_prepare(job->reports, &job->history, why);
    if (status == STATUS_OK)
        reports_take_names(job->reports, job->reader->names);
    return status;
}

/* Reads the output back. */
static enum status verify_file(struct job *job, const struct merge_options *how, uint64_t text,
                               struct failure *why)
{
    struct source_options source_how = {.spool = SPOOL_NEVER, .interrupt = signals_interrupt()};
    struct reader_options reader_how = job->options->reader;
    reader_how.dialect = job->reader->explicit_time ? DIALECT_TIME : DIALECT_THREAD;
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

static enum status verify_output(struct job *job, const struct merge_options *how,
                                 struct failure *why)
{
    uint64_t text = job->digest;
    enum status status = sink_finish(job->sink, why);
    if (status == STATUS_OK && job->history.counts.records[RECORD_DEATH] > 0)
        status = merge_check(job->reader,
                             digest_without_deaths(job->reader, how->threads, &text, why),
                             job->digest, why);
    return status == STATUS_OK ? verify_file(job, how, text, why) : status;
}

/* Writes what is left of the reports and gives all outputs their names, if the input is still
 * what was read. */
static enum status commit(struct job *job, struct failure *why)
{
    enum status status = reports_finish(job->reports, why);
    if (status == STATUS_OK)
        status = source_check(job->source, job->options->in_place, why);
    struct sink *sink = job->sink, *companion = job->companion;
    if (status == STATUS_OK && sink) {
        job->sink = NULL;
        status = sink_commit(sink, why);
    }
    if (status == STATUS_OK && companion) {
        job->companion = NULL;
        status = companion_commit(companion, job->writer->class->companion, why);
    }
    return status == STATUS_OK ? reports_commit(job->reports, why) : status;
}

static enum status write_trace(struct job *job, struct failure *why)
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
static enum status report_recorded(struct job *job, struct failure *why)
{
    enum status status = read_history(job, why);
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
static enum status convert_trace(struct job *job, struct failure *why)
{
    enum status status = STATUS_OK;
    if (job->reports)
        status = report_recorded(job, why);
    if (status == STATUS_OK && job->writer)
        status = convert(job->reader, job->writer, job->options->threads, why);
    return status == STATUS_OK ? commit(job, why) : status;
}

static enum status run(struct job *job, struct failure *why)
{
    double start = seconds();
    enum status status = read_history(job, why);
    if (status != STATUS_OK)
        return status;
    double read = seconds();
    progress_phase(job->progress, PHASE_PROPAGATION, NULL);
    status = deaths_compute(&job->deaths, &job->history, job->options->unallocated, why);
    if (status == STATUS_OK && job->options->renumber)
        status = numbering_new(&job->numbering, job->history.heap.objects, why);
    if (status != STATUS_OK)
        return status;
    double computed = seconds();
    status = reports_begin(job->reports, &job->history, &job->deaths,
                           job->numbering ? numbering_numbers(job->numbering) : NULL, why);
    if (status != STATUS_OK)
        return status;
    status = write_trace(job, why);
    double written = seconds();
    job->times = (struct phase_times){read - start, computed - read, written - computed};
    return status;
}

/* Writes what the reader has to say of the input. */
static void print_remarks(const struct reader *reader)
{
    size_t count;
    const struct remark *remarks = reader_remarks(reader, &count);
    for (size_t i = 0; i < count; i++) {
        if (remarks[i].count == 0)
            continue;
        fprintf(stderr, "%s: %s", reader->name, remarks[i].text);
        if (!remarks[i].once)
            fprintf(stderr, ": %" PRIu64, remarks[i].count);
        fputs(".\n", stderr);
    }
}

/* Says when a file that belongs beside the output has no place. */
static void print_companion(const struct job *job)
{
    const struct companion *companion = job->writer ? job->writer->class->companion : NULL;
    if (companion && !job->output_is_file)
        fprintf(stderr,
                "etmerlin: The file %s, which the output names, is written only beside a "
                "file.\n",
                companion->name);
}

static void report(const struct job *job)
{
    uint64_t malformed = job->history.counts.malformed;
    if (job->options->quiet)
        return;
    if (malformed > 0 && !job->reader->class->remarks)
        fprintf(stderr, "%s: %" PRIu64 " malformed line%s passed through.\n", job->reader->name,
                malformed, malformed == 1 ? " was" : "s were");
    print_remarks(job->reader);
    print_companion(job);
    if (!job->options->verbose)
        return;
    if (job->options->no_deaths)
        summary_print_converted(stderr, job->reader, job->options->reader.deaths_from_free);
    else
        summary_print(stderr, job->reader, &job->deaths, job->digest, &job->times);
}

static void close_job(struct job *job)
{
    progress_stop(job->progress);
    reports_close(job->reports);
    numbering_free(job->numbering);
    deaths_free(&job->deaths);
    history_free(&job->history);
    writer_close(job->writer);
    sink_discard(job->companion);
    reader_close(job->reader);
    sink_discard(job->sink);
    source_close(job->source);
}

enum status add_deaths(const struct options *options, struct failure *why)
{
    struct job job = {.asked = *options};
    job.options = &job.asked;
    enum status status = open_job(&job, why);
    if (status == STATUS_OK)
        status = job.options->no_deaths ? convert_trace(&job, why) : run(&job, why);
    struct standing standing = standing_now(job.progress);
    progress_stop(job.progress);
    job.progress = NULL;
    if (status == STATUS_OK)
        report(&job);
    close_job(&job);
    return explain_shortage(status, &standing, options, why);
}
