/* SPDX-License-Identifier: MIT */
/* The main job, in this order: the summary of --verbose; opening; verification and commit; the
 * runs, which are pass 1, propagation and pass 2, or a conversion; and what is remarked of
 * them. Input and output are opened before any work, and nothing is written before all of the
 * input has been read. */
#include "base/text.h"
#include "cli/commands/commands.h"
#include "cli/commands/job.h"
#include "cli/files/collection.h"
#include "cli/files/outputs.h"
#include "cli/files/report_files.h"
#include "cli/files/streams.h"
#include "cli/options/options.h"
#include "cli/process/process.h"
#include "cli/process/progress.h"
#include "formats/formats.h"
#include "merlin/deaths.h"
#include "merlin/engine.h"
#include "merlin/merge.h"
#include "merlin/recorded_times.h"
#include "trace/readahead.h"
#include "trace/reader.h"
#include "trace/record.h"
#include "trace/rewrite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The summary of --verbose: a line for each figure, with the numbers in one column. The names
 * of records come from the table of record kinds, so that a new kind appears without a change
 * here. */

/* How long each phase took, in seconds. */
struct phase_times {
    double pass_1;
    double propagation; /* or the second and third reading of windows */
    double pass_2;
};

static void print_count(FILE *stream, const char *name, uint64_t count)
{
    fprintf(stream, "  %-26s %15" PRIu64 "\n", name, count);
}

/* The lines about reference objects of each kind, which are no records. */
static void print_references(FILE *stream, const struct reference_counts *counts)
{
    uint64_t objects = 0, cleared = 0;
    for (unsigned kind = 0; kind < REFERENCE_KINDS; kind++) {
        objects += counts->objects[kind];
        for (unsigned cause = 0; cause < CLEARING_CAUSES; cause++)
            cleared += counts->cleared[kind][cause];
    }
    if (objects > 0)
        print_count(stream, "F references", objects);
    if (cleared > 0)
        print_count(stream, "K references cleared", cleared);
}

static void print_records(FILE *stream, const struct trace_counts *counts)
{
    uint64_t all = 0;
    for (size_t i = 0; i < record_layout_count; i++)
        all += counts->records[record_layouts[i].kind];
    print_count(stream, "records", all);
    for (size_t i = 0; i < record_layout_count; i++) {
        const struct record_layout *layout = &record_layouts[i];
        char title[RECORD_TITLE_SIZE];
        if (counts->records[layout->kind] > 0)
            print_count(stream,
                        layout->kind == RECORD_DEATH ? "D deaths, replaced"
                                                     : record_title(title, layout),
                        counts->records[layout->kind]);
    }
    print_references(stream, &counts->references);
    print_count(stream, "comments and empty lines", counts->comments);
    print_count(stream, "unknown records", counts->unknown);
    print_count(stream, "malformed lines", counts->malformed);
}

static void print_heap(FILE *stream, const struct deaths *deaths)
{
    const struct pass *pass = deaths->pass;
    const struct trace_counts *counts = &pass->counts;
    size_t allocated = deaths->dead_count + deaths->alive_count;
    uint64_t named = deaths->named;
    print_count(stream, "objects", allocated);
    print_count(stream, "deaths", deaths->dead_count);
    print_count(stream, "alive at the end", deaths->alive_count);
    print_count(stream, "unallocated ids", named - allocated);
    print_count(stream, "ids named before allocated", counts->adopted);
    print_count(stream, "repeated ids", counts->repeated);
    print_count(stream, "reference slots", slots_count(pass->heap.slots));
    print_count(stream, "threads", frames_thread_count(pass->heap.frames));
    print_count(stream, "unmatched exits", counts->unmatched_exits);
    print_count(stream, "unwound frames", counts->unwound_frames);
}

static void print_time(FILE *stream, const char *name, double seconds)
{
    fprintf(stream, "  %-26s %15.3f s\n", name, seconds);
}

static void print_head(FILE *stream, const struct reader *reader)
{
    fprintf(stream, "%s: ", message_program);
    text_print(stream, reader->name);
    fprintf(stream, ": %s dialect\n", reader->explicit_time ? "time" : "thread");
    if (reader->unfinished)
        fprintf(stream, "  %-26s %s\n", "unfinished", reader->unfinished);
}

/* Prints where the deaths come from. */
static void print_deaths_from(FILE *stream, const char *what)
{
    fprintf(stream, "  %-26s %15s\n", "deaths from", what);
}

static bool has_frees(const struct reader *reader)
{
    return reader->methods->takes & TAKES_DEATHS_FROM_FREE;
}

/* Writes the summary of a conversion, which computes no deaths. `from_free`: the deaths are
 * frees. */
static void summary_print_converted(FILE *stream, const struct reader *reader, bool from_free)
{
    print_head(stream, reader);
    print_deaths_from(stream, from_free ? "free" : has_frees(reader) ? "none" : "the input");
}

/* Writes the summary; `digest` is that of pass 1. */
static void summary_print(FILE *stream, const struct reader *reader,
                          const struct deaths *deaths, uint64_t digest,
                          const struct phase_times *times)
{
    print_head(stream, reader);
    if (has_frees(reader))
        print_deaths_from(stream, "last-use");
    print_records(stream, &deaths->pass->counts);
    print_heap(stream, deaths);
    if (deaths->stored)
        print_count(stream, "collections", deaths->collections);
    fprintf(stream, "  %-26s %16.16" PRIx64 "\n", "digest (XXH3)", digest);
    print_time(stream, "reading (pass 1)", times->pass_1);
    print_time(stream, deaths->stored ? "windows" : "propagation", times->propagation);
    print_time(stream, "writing (pass 2)", times->pass_2);
}

/* What is open during the job. */
struct deaths_job {
    struct options adapted; /* the user's options, and what the format of the trace implies */
    const struct options *options; /* &adapted */
    struct source *source;
    struct reader *reader;
    struct sink *sink;      /* NULL: no trace is written */
    struct writer *writer;  /* as for `sink` */
    struct outputs outputs; /* of the run */
    char *lists;            /* owned; adapted.names, if that was made */
    struct report_files *report_files;
    struct reports *reports; /* whose outputs are `files`; NULL: none */
    struct sink *companion;  /* NULL: none is written */
    bool output_is_file;
    struct progress *progress;
    struct engine *engine;
    struct recorded_times recorded; /* of a conversion to a format of lifetimes */
    /* All of the trace has been read at least once, and has this digest: */
    bool is_read;
    uint64_t digest;
    uint64_t malformed; /* lines of the trace */
    double read;        /* the time when the last reading ended */
    struct phase_times times;
};

/* Refuses a trace that has deaths, unless they are to be replaced. */
static enum status refuse_deaths(const struct deaths_job *job, const struct batch *batch,
                                 struct failure *why)
{
    if (job->options->replace_deaths || job->options->no_deaths ||
        engine_counts(job->engine)->records[RECORD_DEATH] == 0)
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

/* Called by the engine for each batch that it has gone through. */
static enum status see_batch(void *context, const struct batch *batch, struct failure *why)
{
    struct deaths_job *job = context;
    progress_count(job->progress, batch->count, engine_named(job->engine));
    TRY(refuse_deaths(job, batch, why));
    return reports_read(job->reports, batch, why);
}

/* Announces the phases that follow once the reading of the trace has begun. */
static void expect_phases(struct deaths_job *job)
{
    const struct options *options = job->options;
    struct phases_to_come later = engine_phases_to_come(job->engine, 1);
    later.times[PHASE_REPORTS] = job->reports ? 2 : 0;
    later.times[PHASE_WRITING] = job->writer && !options->no_deaths;
    later.times[PHASE_CONVERTING] = job->writer && options->no_deaths;
    later.times[PHASE_VERIFYING] = options->verify ? 1u + options->replace_deaths : 0;
    progress_expect(job->progress, &later);
}

static void see_phase(void *context, enum engine_phase phase)
{
    struct deaths_job *job = context;
    bool reads = phase == ENGINE_READING;
    if (reads)
        reports_restart(job->reports);
    else if (phase != ENGINE_WINDOWS_PASS)
        job->read = progress_seconds();
    progress_phase(job->progress, engine_phase_shown(phase), reads ? job->source : NULL);
    if (reads)
        expect_phases(job);
}

static void see_progress(void *context, uint64_t done, uint64_t of)
{
    const struct deaths_job *job = context;
    progress_step(job->progress, done, of);
}

/* Reads the trace for the times of its deaths, if a format of lifetimes is to be made of it
 * that orders them. Those of a trace in such a format already have its only clock. */
static enum status find_recorded_times(struct deaths_job *job, struct failure *why)
{
    const struct options *options = job->options;
    if (!options->no_deaths || job->reader->methods->holds_lifetimes ||
        !formats_find_writer(options->to)->writes_lives)
        return STATUS_OK;
    struct phases_to_come later = {.times = {[PHASE_CONVERTING] = 1}};
    later.times[PHASE_READING] = later.times[PHASE_REPORTS] = options_want_reports(options);
    progress_expect(job->progress, &later);
    TRY(recorded_times_check(job->reader, options->engine.threads, &job->recorded, why));
    job->is_read = true;
    job->digest = job->recorded.digest;
    return STATUS_OK;
}

/* Checks options for which the output must be in the format of the input. */
static enum status check_same_format(const struct deaths_job *job, struct failure *why)
{
    const struct options *options = job->options;
    const char *from = job->reader->methods->name, *to = job->writer->methods->name;
    if (is_same_format(job->reader, job->writer))
        return STATUS_OK;
    if (options->in_place)
        return fail(
            why, STATUS_MEANING,
            "--in-place would replace a trace in the format %s by one in the format %s; "
            "--output or --suffix writes to another file",
            from, to);
    if (options->verify)
        return fail(why, STATUS_MEANING,
                    "--verify checks an output in the format of the input: it cannot be used "
                    "to go from %s to %s",
                    from, to);
    return STATUS_OK;
}

static enum status open_writer(struct deaths_job *job, struct failure *why)
{
    const struct options *options = job->options;
    struct writer_options how = options->writer;
    TRY(find_recorded_times(job, why));
    how.explicit_time = job->reader->explicit_time;
    how.temporary = options->source.temporary;
    how.deaths_by_position = job->recorded.by_position;
    TRY(formats_open_writer(&job->writer, options->to, job->sink, &how, why));
    TRY(check_same_format(job, why));
    job->output_is_file = sink_temporary(job->sink) != NULL;
    return companion_open(&job->companion, job->writer->methods->companion, job->sink,
                          options->force, why);
}

/* If deaths cannot be computed from the trace, it is only converted, and reports are made from
 * the deaths that it has. */
static enum status adapt_to_format(struct deaths_job *job, struct failure *why)
{
    const struct options *options = job->options;
    if (!job->reader->methods->holds_lifetimes)
        return STATUS_OK;
    job->adapted.no_deaths = true;
    if (options->replace_deaths || options->deaths_only || options->verify ||
        options->renumber || options->has_death_thread ||
        options->assumptions.at_end == AT_END_DIE ||
        options->assumptions.held_by != HELD_BY_RECEIVER ||
        options->assumptions.unallocated != UNALLOCATED_LAST_USE ||
        options_any_report(options, TRAIT_COMPUTED))
        return streams_check_computable(job->reader, why);
    return STATUS_OK;
}

static void take_reports(struct deaths_job *job)
{
    job->reports = report_files_reports(job->report_files);
    reports_watch(job->reports, see_progress, job);
    report_files_take_reader(job->report_files, job->reader);
}

static enum status open_engine(struct deaths_job *job, struct failure *why)
{
    const struct options *options = job->options;
    take_reports(job);
    struct engine_options how = engine_setup(options);
    how.is_recorded = options->no_deaths;
    how.renumber = options->renumber;
    how.is_for_reports = options_want_reports(options);
    how.wants = reports_wants(job->reports);
    how.observer = (struct engine_observer){see_phase, see_batch, see_progress, job};
    return engine_open(&job->engine, &how, job->reader, why);
}

static enum status open_job(struct deaths_job *job, struct failure *why)
{
    const struct options *options = job->options;
    bool writes_trace = options_write_trace(options);
    TRY(streams_open_input(&job->source, options, options->trace, why));
    if (writes_trace)
        TRY(outputs_add_command(&job->outputs, options, options->trace, why));
    TRY(report_files_open(&job->report_files, options, &job->outputs, job->source, why));
    if (writes_trace)
        TRY(streams_open_output(&job->sink, options, outputs_of_command(&job->outputs),
                                job->source, why));
    TRY(progress_start(&job->progress, options, job->source, why));
    TRY(formats_open_reader(&job->reader, job->source, &options->reader, why));
    TRY(streams_check_terminal(options, why));
    TRY(adapt_to_format(job, why));
    TRY(streams_check_format(options, job->reader, why));
    if (options->in_place && job->reader->methods->index)
        return fail_at(why, STATUS_MEANING, job->reader->name, 0,
                       "--in-place cannot replace this file: it stands for a trace of several");
    if (writes_trace)
        TRY(open_writer(job, why));
    TRY(report_files_read_names(job->report_files, job->reader, why));
    TRY(inputs_protect(options, job->reader, job->source, why));
    TRY(report_files_protect_inputs(job->report_files, why));
    return open_engine(job, why);
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
        status = verify(reader, engine_deaths(job->engine), text, how, why);
    progress_phase(job->progress, PHASE_VERIFYING, NULL);
    reader_close(reader);
    source_close(source);
    return status;
}

static enum status verify_output(struct deaths_job *job, const struct merge_options *how,
                                 struct failure *why)
{
    uint64_t text = job->digest;
    TRY(sink_finish(job->sink, why));
    if (engine_counts(job->engine)->records[RECORD_DEATH] > 0) {
        progress_phase(job->progress, PHASE_VERIFYING, job->source);
        TRY(reader_check(job->reader,
                         digest_without_deaths(job->reader, how->threads, &text, why),
                         job->digest, why));
    }
    return verify_file(job, how, text, why);
}

/* Completes the reports and gives all outputs their names, if the input has not changed since
 * it was read. */
static enum status commit(struct deaths_job *job, struct failure *why)
{
    if (job->reports)
        progress_phase(job->progress, PHASE_REPORTS, NULL);
    if (outputs_report_is_standard(job->options, false))
        progress_make_way(job->progress);
    TRY(reports_finish(job->reports, why));
    TRY(source_check(job->source, job->options->in_place, why));
    struct sink *sink = job->sink;
    struct sink *companion = job->writer ? job->companion : NULL; /* only writers have one */
    if (sink)
        TRY(sink_end(sink, why));
    if (companion)
        TRY(sink_end(companion, why));
    TRY(report_files_end(job->report_files, why));
    if (sink) {
        job->sink = NULL;
        TRY(sink_commit(sink, why));
    }
    if (companion) {
        job->companion = NULL;
        TRY(companion_commit(companion, job->writer->methods->companion, why));
    }
    return report_files_commit(job->report_files, why);
}

static void make_way_for_trace(const struct deaths_job *job)
{
    if (job->writer && outputs_trace_is_standard(job->options))
        progress_make_way(job->progress);
}

/* Reads the trace once more and writes it, with numbers instead of ids if objects have these.
 */
static enum status write_merged(struct deaths_job *job, const struct merge_options *options,
                                struct failure *why)
{
    struct merge_options how = *options;
    progress_phase(job->progress, PHASE_WRITING, job->source);
    make_way_for_trace(job);
    if (engine_renumbers(job->engine))
        TRY(engine_numbering(job->engine, &how.numbering, why));
    bool writes_references = !how.rewrite && !how.deaths_only;
    if (how.numbering && writes_references &&
        reference_counts_any(&engine_counts(job->engine)->references))
        numbering_keep_all(how.numbering);
    enum status status =
        merge(job->reader, job->writer, engine_deaths(job->engine), job->digest, &how, why);
    numbering_free(how.numbering);
    return status;
}

static enum status write_trace(struct deaths_job *job, struct failure *why)
{
    const struct options *options = job->options;
    struct merge_options how = {
        .at_end = options->assumptions.at_end,
        .deaths_only = options->deaths_only,
        .thread = options->has_death_thread ? &options->death_thread : NULL,
        .threads = options->engine.threads,
        .rewrite = job->writer && !is_same_format(job->reader, job->writer),
    };
    if (job->writer)
        TRY(write_merged(job, &how, why));
    if (options->verify)
        TRY(verify_output(job, &how, why));
    return commit(job, why);
}

/* To be called when all of the trace has been read, with `status`: it must be the same each
 * time. */
static enum status end_reading(struct deaths_job *job, enum status status, struct failure *why)
{
    if (job->is_read)
        return reader_check(job->reader, status, job->digest, why);
    job->is_read = status == STATUS_OK;
    job->digest = reader_digest(job->reader);
    return status;
}

static enum status run_engine(struct deaths_job *job, struct failure *why)
{
    enum status status = end_reading(job, engine_run(job->engine, why), why);
    job->malformed = engine_counts(job->engine)->malformed;
    return status;
}

static enum status begin_reports(struct deaths_job *job, struct failure *why)
{
    if (!job->reports)
        return STATUS_OK;
    progress_phase(job->progress, PHASE_REPORTS, NULL);
    if (outputs_report_is_standard(job->options, true))
        progress_make_way(job->progress);
    return reports_begin(job->reports, job->engine, why);
}

/* Makes reports from the deaths that the input has, then writes it as it is, in the format of
 * the output. */
static enum status convert_trace(struct deaths_job *job, struct failure *why)
{
    if (job->reports) {
        TRY(run_engine(job, why));
        TRY(begin_reports(job, why));
    }
    if (job->reports && job->writer)
        reader_rewind(job->reader, NULL);
    if (job->writer) {
        progress_phase(job->progress, PHASE_CONVERTING, job->source);
        make_way_for_trace(job);
        enum status status = convert(job->reader, job->writer, job->options->engine.threads,
                                     &job->malformed, why);
        TRY(end_reading(job, status, why));
    }
    return commit(job, why);
}

static enum status add_deaths_run(struct deaths_job *job, struct failure *why)
{
    double start = progress_seconds();
    TRY(run_engine(job, why));
    double computed = progress_seconds();
    TRY(begin_reports(job, why));
    enum status status = write_trace(job, why);
    double written = progress_seconds();
    job->times =
        (struct phase_times){job->read - start, computed - job->read, written - computed};
    return status;
}

/* Reports that a companion is missing, if the output is no file. */
static void print_companion(const struct deaths_job *job)
{
    const struct companion *companion = job->writer ? job->writer->methods->companion : NULL;
    if (companion && !job->output_is_file)
        message(NULL,
                "The file %s, which the output names, is written only if the output is a file",
                companion->name);
}

/* Reports how many malformed lines there were, and whether the output has them. */
static void report_malformed(const struct deaths_job *job)
{
    bool passed =
        job->writer && is_same_format(job->reader, job->writer) && !job->options->deaths_only;
    if (job->malformed > 0 && job->reader->methods->passes_malformed)
        message(job->reader->name, "%" PRIu64 " malformed line%s %s", job->malformed,
                job->malformed == 1 ? " was" : "s were", passed ? "passed through" : "skipped");
}

/* Whether the trace has records of which `is_wanted` is true. */
static bool has_any(const uint64_t *records, int (*is_wanted)(unsigned kind))
{
    for (unsigned kind = 0; kind < RECORD_KINDS; kind++)
        if (is_wanted(kind) && records[kind] > 0)
            return true;
    return false;
}

/* Remarks that no object dies in reports of recorded deaths, if the trace has none, but could
 * get them. */
static void report_no_deaths(const struct deaths_job *job)
{
    const uint64_t *records = engine_counts(job->engine)->records;
    const struct options *options = job->options;
    if (!options->no_deaths || options->reader.deaths_from_free ||
        job->reader->methods->holds_lifetimes || !options_want_reports(options))
        return;
    if (has_any(records, record_is_allocation) && records[RECORD_DEATH] == 0)
        message(job->reader->name,
                "The trace has no deaths, so in reports all objects are alive at the end: "
                "without --no-deaths they are computed");
}

/* Remarks that times in reports and lifetime formats mean nothing, if the trace has no clock.
 */
static void report_no_clock(const struct deaths_job *job)
{
    static const char sentence[] =
        "The trace has no method boundary, so its clock stands still: %s";
    const uint64_t *records = engine_counts(job->engine)->records;
    const struct options *options = job->options;
    const struct reader *reader = job->reader;
    if (reader->methods->holds_lifetimes || has_any(records, record_is_boundary) ||
        job->recorded.has_clock)
        return;
    if (options->no_deaths && options_want_reports(options) && records[RECORD_DEATH] > 0)
        message(reader->name, sentence, "in reports, all times of the clock are 0");
    if (job->writer && job->writer->methods->writes_lives && !reader->explicit_time &&
        !source_is_empty(job->source))
        message(reader->name, sentence, "all times in the output are 0");
}

static void report(const struct deaths_job *job)
{
    if (job->options->quiet)
        return;
    report_malformed(job);
    report_no_deaths(job);
    report_no_clock(job);
    remarks_print(job->reader);
    report_files_remark(job->report_files, job->reader);
    if (reports_show_lifetimes(job->reports))
        remarks_print_early(job->reader,
                            job->options->no_deaths ? NULL : &job->options->assumptions);
    print_companion(job);
    size_t at = 0;
    for (char *remark; (remark = reports_remark(job->reports, &at)) != NULL; free(remark))
        message(job->reader->name, "%s", remark);
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
        summary_print(stderr, job->reader, engine_deaths(job->engine), job->digest,
                      &job->times);
}

static void close_job(struct deaths_job *job)
{
    progress_stop(job->progress);
    report_files_close(job->report_files);
    engine_close(job->engine);
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
    enum status status = outputs_add_reports(&job.outputs, options, options->trace, why);
    if (status == STATUS_OK)
        status = lists_name_make(&job.lists, &job.adapted, why);
    bool has_names = status == STATUS_OK;
    if (has_names)
        status = open_job(&job, why);
    if (status == STATUS_OK)
        status = job.options->no_deaths ? convert_trace(&job, why) : add_deaths_run(&job, why);
    struct position position = position_now(job.progress);
    progress_stop(job.progress);
    job.progress = NULL;
    if (status == STATUS_OK)
        report(&job);
    close_job(&job);
    if (status != STATUS_OK && has_names)
        failed_row_leave(job.options, outputs_of_report(&job.outputs, REPORT_STATS), status);
    outputs_free(&job.outputs);
    free(job.lists);
    return explain_shortage(status, &position, options, why);
}
