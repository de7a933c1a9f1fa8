/* --advise: tells what the tracer of a trace left out. The trace is read once and nothing is
 * computed, so this takes a part of the time and the memory of deaths. */
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/progress.h"
#include "cli/shortage.h"
#include "cli/streams.h"
#include "formats/formats.h"
#include "report/advise/advice_print.h"
#include "trace/readahead.h"

struct advise_job {
    const struct options *options;
    struct source *source;
    struct reader *reader;
    struct sink *sink;
    struct progress *progress;
    struct advice *advice;
};

static enum status advise_trace_open_job(struct advise_job *job, struct failure *why)
{
    const struct options *options = job->options;
    enum status status = streams_open_input(&job->source, options, options->trace, why);
    if (status == STATUS_OK)
        status = streams_open_output(&job->sink, options, job->source, why);
    if (status == STATUS_OK)
        status = progress_start(&job->progress, options, job->source, why);
    if (status == STATUS_OK)
        status = formats_open_reader(&job->reader, job->source, &options->reader, why);
    if (status == STATUS_OK)
        status = streams_check_format(options, job->reader, why);
    if (status == STATUS_OK)
        status = inputs_protect(options, job->reader, job->source, why);
    if (status == STATUS_OK && job->reader->methods->holds_lifetimes)
        return fail_at(why, STATUS_MEANING, job->reader->name, 0,
                       "--advise is for traces with methods and references, which the format "
                       "%s does not have; --stats tells what is in this one",
                       job->reader->methods->name);
    return status == STATUS_OK ? advice_new(&job->advice, job->reader->explicit_time, why)
                               : status;
}

static enum status advise_trace_read(struct advise_job *job, struct failure *why)
{
    struct readahead *batches;
    const struct batch *batch;
    enum status status = readahead_open(&batches, job->reader, job->options->threads, why);
    if (status != STATUS_OK)
        return status;
    while ((status = readahead_next(batches, &batch, why)) == STATUS_OK &&
           (status = advice_add(job->advice, batch, why)) == STATUS_OK)
        progress_count(job->progress, batch->count, advice_objects(job->advice));
    readahead_close(batches);
    return status == STATUS_END ? STATUS_OK : status;
}

static enum status advise_trace_write_report(struct advise_job *job, struct failure *why)
{
    struct print print = {.sink = job->sink, .why = why};
    struct advice_counts counts = advice_count(job->advice);
    if (job->options->format == FORMAT_JSON)
        advice_print_json(&print, job->reader->name, &counts);
    else
        advice_print_text(&print, job->reader->name, &counts);
    if (print.status != STATUS_OK)
        return print.status;
    struct sink *sink = job->sink;
    job->sink = NULL;
    return sink_commit(sink, why);
}

enum status advise_trace(const struct options *options, struct failure *why)
{
    struct advise_job job = {.options = options};
    enum status status = advise_trace_open_job(&job, why);
    if (status == STATUS_OK)
        status = advise_trace_read(&job, why);
    struct position position = position_now(job.progress);
    progress_stop(job.progress);
    if (status == STATUS_OK)
        status = advise_trace_write_report(&job, why);
    advice_free(job.advice);
    reader_close(job.reader);
    sink_discard(job.sink);
    source_close(job.source);
    return explain_shortage(status, &position, options, why);
}
