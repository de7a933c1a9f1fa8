/* Compares recorded deaths with computed ones: under the assumptions that the options tell, or,
 * with --compare-all, under all of them, which takes one pass over the trace for each value of
 * --held-by. The recorded deaths are read once. */
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/remarks.h"
#include "cli/shortage.h"
#include "cli/signals.h"
#include "cli/streams.h"
#include "formats/formats.h"
#include "report/compare/agreement.h"
#include "report/compare/compare_print.h"
#include "trace/readahead.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HELD_BYS = 3, UNALLOCATEDS = 2, AT_ENDS = 2 };

/* An input, and what it says of allocations and deaths. */
struct input {
    struct source *source;
    struct reader *reader;
    struct recording recording;
    uint64_t malformed;
    uint64_t digest;
};

struct compare_job {
    const struct options *options;
    struct input trace;
    struct input recorded; /* unless the deaths are those of the trace */
    struct sink *sink;
    struct progress *progress;
    struct history history;
    struct deaths deaths;
    struct alignment alignment;
    struct agreement agreements[HELD_BYS * UNALLOCATEDS * AT_ENDS];
    size_t agreement_count;
};

/* The report must not go to the file of the recorded deaths. */
static enum status protect_recorded(const struct compare_job *job, struct failure *why)
{
    const char *path = job->options->output;
    bool to_file = path && strcmp(path, "-") != 0;
    struct stat recorded, output;
    if (!job->recorded.source ||
        fstat(source_descriptor(job->recorded.source), &recorded) != 0 ||
        (to_file ? stat(path, &output) : fstat(STDOUT_FILENO, &output)) != 0)
        return STATUS_OK;
    if (!S_ISREG(output.st_mode) || output.st_dev != recorded.st_dev ||
        output.st_ino != recorded.st_ino)
        return STATUS_OK;
    return fail_at(why, STATUS_MEANING, job->options->recorded, 0,
                   "The report would go to the recorded deaths themselves");
}

static enum status compare_traces_open_job(struct compare_job *job, struct failure *why)
{
    const struct options *options = job->options;
    struct reader_options how = options->reader;
    enum status status = streams_open_input(&job->trace.source, options, options->trace, why);
    if (status == STATUS_OK && options->recorded)
        status = streams_open_input(&job->recorded.source, options, options->recorded, why);
    if (status == STATUS_OK)
        status = protect_recorded(job, why);
    if (status == STATUS_OK)
        status = streams_open_output(&job->sink, options, job->trace.source, why);
    if (status == STATUS_OK)
        status = progress_start(&job->progress, options, job->trace.source, why);
    if (status == STATUS_OK)
        status = formats_open_reader(&job->trace.reader, job->trace.source, &how, why);
    if (status == STATUS_OK)
        status = streams_check_format(options, job->trace.reader, why);
    if (status == STATUS_OK)
        status = streams_check_computable(job->trace.reader, why);
    if (status == STATUS_OK)
        status = inputs_protect(options, job->trace.reader, job->trace.source, why);
    if (status != STATUS_OK || !options->recorded)
        return status;
    /* The dialect of a file of deaths alone could not be detected. */
    how.dialect = job->trace.reader->explicit_time ? DIALECT_TIME : DIALECT_THREAD;
    status = formats_open_reader(&job->recorded.reader, job->recorded.source, &how, why);
    return status == STATUS_OK
               ? inputs_protect(options, job->recorded.reader, job->recorded.source, why)
               : status;
}

static void close_input(struct input *input)
{
    recording_free(&input->recording);
    reader_close(input->reader);
    source_close(input->source);
}

/* Where the records of an input go: to `history` and `recording`, or one of them (NULL: not).
 */
struct compared_input {
    struct compare_job *job;
    struct input *input;
    struct history *history;
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
    if (to->history && status == STATUS_OK)
        status = history_add(to->history, batch, why);
    if (status == STATUS_OK)
        progress_count(to->job->progress, batch->count,
                       objects_count(to->job->history.heap.objects));
    return status;
}

static enum status compare_traces_read_input(struct compare_job *job, struct input *input,
                                             struct history *history,
                                             struct recording *recording, struct failure *why)
{
    struct compared_input to = {job, input, history, recording};
    return readahead_visit(input->reader, job->options->threads, compare_batch, &to, why);
}

/* Pass 1, which is also the reading of the recorded deaths if it is the first one. */
static enum status compare_traces_read_history(struct compare_job *job, enum held_by held_by,
                                               bool is_first, struct failure *why)
{
    struct input *trace = &job->trace;
    if (!is_first)
        reader_rewind(trace->reader, NULL);
    progress_phase(job->progress, PHASE_READING, trace->source);
    history_free(&job->history);
    enum status status =
        history_init(&job->history, held_by, trace->reader->explicit_time, why);
    job->history.interrupt = signals_interrupt();
    if (status == STATUS_OK)
        status = history_keep_proofs(&job->history, why);
    if (status == STATUS_OK)
        status = compare_traces_read_input(job, trace, &job->history,
                                           is_first ? &trace->recording : NULL, why);
    if (status != STATUS_OK)
        return status;
    uint64_t digest = reader_digest(trace->reader);
    if (!is_first && digest != trace->digest)
        return fail_at(why, STATUS_MEANING, trace->reader->name, 0,
                       "The file changed while it was read: start again when it is complete");
    trace->digest = digest;
    return STATUS_OK;
}

/* Reads RECORDED, if the deaths are there, and decides how to compare. */
static enum status find_basis(struct compare_job *job, struct failure *why)
{
    struct input *trace = &job->trace, *recorded = trace;
    trace->recording.name = trace->reader->name;
    enum status status = STATUS_OK;
    if (job->recorded.reader) {
        recorded = &job->recorded;
        recorded->recording.name = recorded->reader->name;
        progress_phase(job->progress, PHASE_READING, recorded->source);
        status = compare_traces_read_input(job, recorded, NULL, &recorded->recording, why);
    }
    if (status != STATUS_OK)
        return status;
    return alignment_init(&job->alignment, &trace->recording, &recorded->recording,
                          &job->history.clock, job->options->compare_by, why);
}

static enum status compare_traces_compute(struct compare_job *job, enum unallocated unallocated,
                                          struct failure *why)
{
    progress_phase(job->progress, PHASE_PROPAGATION, NULL);
    deaths_free(&job->deaths);
    return deaths_compute(&job->deaths, &job->history, unallocated, why);
}

/* Nothing is to stand on the terminal when the report comes. */
static void stop_progress(struct compare_job *job)
{
    progress_stop(job->progress);
    job->progress = NULL;
}

static void print_comparison(struct print *print, const struct comparison *comparison,
                             const struct options *options)
{
    struct assumptions assumptions = {options->held_by, options->unallocated, options->at_end};
    if (options->format == FORMAT_TEXT)
        compare_print_text(print, comparison, &assumptions, options->show);
    else if (options->format == FORMAT_JSON)
        compare_print_json(print, comparison, &assumptions, options->show);
    else
        compare_print_tsv(print, comparison);
}

/* Compares under the assumptions that the options tell. */
static enum status compare_once(struct compare_job *job, struct print *print, bool *differs,
                                struct failure *why)
{
    const struct options *options = job->options;
    struct comparison comparison = {.alignment = NULL};
    enum status status = compare_traces_read_history(job, options->held_by, true, why);
    if (status == STATUS_OK)
        status = find_basis(job, why);
    if (status == STATUS_OK)
        status = compare_traces_compute(job, options->unallocated, why);
    if (status == STATUS_OK)
        status = compare(&comparison, &job->alignment, &job->deaths, options->at_end, why);
    if (status == STATUS_OK) {
        stop_progress(job);
        print_comparison(print, &comparison, options);
        *differs = !compare_agrees(&comparison.figures);
    }
    compare_free(&comparison);
    return status;
}

/* Compares under one of the assumptions. */
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

/* Compares under all assumptions with one kind of frames. */
static enum status add_agreements(struct compare_job *job, enum held_by held_by,
                                  struct failure *why)
{
    bool is_first = job->agreement_count == 0;
    enum status status = compare_traces_read_history(job, held_by, is_first, why);
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
    stop_progress(job);
    const struct agreement *agreements = job->agreements;
    agreement_sort(job->agreements, job->agreement_count);
    *differs = !compare_agrees(&agreements[0].figures);
    if (job->options->format == FORMAT_TEXT)
        agreement_print_text(print, &job->alignment, agreements, job->agreement_count);
    else if (job->options->format == FORMAT_JSON)
        agreement_print_json(print, &job->alignment, agreements, job->agreement_count);
    else
        agreement_print_tsv(print, agreements, job->agreement_count);
    return STATUS_OK;
}

static void report_input(const struct input *input, bool quiet)
{
    if (quiet || !input->reader)
        return;
    if (input->malformed > 0)
        message(input->reader->name, "%" PRIu64 " malformed line%s passed over",
                input->malformed, input->malformed == 1 ? " was" : "s were");
    remarks_print(input->reader);
}

static enum status compare_traces_run(struct compare_job *job, bool *differs,
                                      struct failure *why)
{
    struct print print = {.sink = job->sink, .why = why};
    enum status status = job->options->compare_all ? compare_all(job, &print, differs, why)
                                                   : compare_once(job, &print, differs, why);
    if (status == STATUS_OK)
        status = print.status;
    if (status != STATUS_OK)
        return status;
    struct sink *sink = job->sink;
    job->sink = NULL;
    status = sink_commit(sink, why);
    report_input(&job->trace, job->options->quiet);
    report_input(&job->recorded, job->options->quiet);
    return status;
}

enum status compare_traces(const struct options *options, bool *differs, struct failure *why)
{
    struct compare_job job = {.options = options};
    enum status status = compare_traces_open_job(&job, why);
    if (status == STATUS_OK)
        status = compare_traces_run(&job, differs, why);
    struct position position = position_now(job.progress);
    progress_stop(job.progress);
    alignment_free(&job.alignment);
    deaths_free(&job.deaths);
    history_free(&job.history);
    close_input(&job.recorded);
    close_input(&job.trace);
    sink_discard(job.sink);
    return explain_shortage(status, &position, options, why);
}
