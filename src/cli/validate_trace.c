/* Validates a trace. It is read to its end, whatever is found in it. */
#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/shortage.h"
#include "cli/streams.h"
#include "formats/formats.h"
#include "report/validate_print.h"
#include "trace/readahead.h"

struct job {
    const struct options *options;
    struct source *source;
    struct reader *reader;
    struct sink *sink;
    struct progress *progress;
    struct validation validation;
};

static enum status open_job(struct job *job, struct failure *why)
{
    const struct options *options = job->options;
    struct reader_options reader_how = options->reader;
    reader_how.keep_others = true;
    enum status status = streams_open_input(&job->source, options, options->trace, why);
    if (status == STATUS_OK)
        status = streams_open_output(&job->sink, options, job->source, why);
    if (status == STATUS_OK)
        status = progress_start(&job->progress, options, job->source, why);
    if (status == STATUS_OK)
        status = formats_open_reader(&job->reader, job->source, &reader_how, why);
    if (status == STATUS_OK)
        status = streams_check_format(options, job->reader, why);
    if (status == STATUS_OK && job->reader->class->holds_lifetimes)
        return fail_at(why, STATUS_MEANING, job->reader->name, 0,
                       "--validate is for traces with methods and references, which the format "
                       "%s does not have; --stats tells what is in this one",
                       job->reader->class->name);
    return status == STATUS_OK ? validation_init(&job->validation, job->reader, why) : status;
}

static enum status read_trace(struct job *job, struct failure *why)
{
    struct readahead *batches;
    const struct batch *batch;
    enum status status = readahead_open(&batches, job->reader, job->options->threads, why);
    if (status != STATUS_OK)
        return status;
    while ((status = readahead_next(batches, &batch, why)) == STATUS_OK &&
           (status = validation_add(&job->validation, batch, why)) == STATUS_OK)
        progress_count(job->progress, batch->count, validation_objects(&job->validation));
    readahead_close(batches);
    return status == STATUS_END ? validation_finish(&job->validation, why) : status;
}

static enum status write_report(struct job *job, struct failure *why)
{
    struct print print = {.sink = job->sink, .why = why};
    if (job->options->format == FORMAT_JSON)
        validate_print_json(&print, &job->validation, job->options->ignored);
    else
        validate_print_text(&print, &job->validation, job->options->ignored);
    if (print.status != STATUS_OK)
        return print.status;
    struct sink *sink = job->sink;
    job->sink = NULL;
    return sink_commit(sink, why);
}

enum status validate_trace(const struct options *options, bool *violates, struct failure *why)
{
    struct job job = {.options = options};
    enum status status = open_job(&job, why);
    if (status == STATUS_OK)
        status = read_trace(&job, why);
    struct standing standing = standing_now(job.progress);
    progress_stop(job.progress);
    if (status == STATUS_OK)
        status = write_report(&job, why);
    *violates = violations_met(job.validation.violations, options->ignored) != 0;
    validation_free(&job.validation);
    reader_close(job.reader);
    sink_discard(job.sink);
    source_close(job.source);
    return explain_shortage(status, &standing, options, why);
}
