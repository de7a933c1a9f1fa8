/* --validate: checks a trace. It is read to its end, whatever is found in it: a list of all
 * that is wrong helps more than the first fault. */
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/progress.h"
#include "cli/remarks.h"
#include "cli/shortage.h"
#include "cli/streams.h"
#include "formats/formats.h"
#include "report/validate/validate_print.h"
#include "trace/readahead.h"

struct validate_job {
    const struct options *options;
    struct source *source;
    struct reader *reader;
    struct sink *sink;
    struct progress *progress;
    struct validation validation;
};

static enum status validate_trace_open_job(struct validate_job *job, struct failure *why)
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
    if (status == STATUS_OK)
        status = inputs_protect(options, job->reader, job->source, why);
    if (status == STATUS_OK && job->reader->methods->holds_lifetimes)
        return fail_at(why, STATUS_MEANING, job->reader->name, 0,
                       "--validate is for traces with methods and references, which the format "
                       "%s does not have; --stats tells what is in this one",
                       job->reader->methods->name);
    return status == STATUS_OK ? validation_init(&job->validation, job->reader, why) : status;
}

static enum status validate_batch(void *context, const struct batch *batch, struct failure *why)
{
    struct validate_job *job = context;
    enum status status = validation_add(&job->validation, batch, why);
    if (status == STATUS_OK)
        progress_count(job->progress, batch->count, validation_objects(&job->validation));
    return status;
}

static enum status read_trace(struct validate_job *job, struct failure *why)
{
    enum status status =
        readahead_visit(job->reader, job->options->threads, validate_batch, job, why);
    return status == STATUS_OK ? validation_finish(&job->validation, why) : status;
}

static enum status validate_trace_write_report(struct validate_job *job, struct failure *why)
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
    struct validate_job job = {.options = options};
    enum status status = validate_trace_open_job(&job, why);
    if (status == STATUS_OK)
        status = read_trace(&job, why);
    struct position position = position_now(job.progress);
    progress_stop(job.progress);
    if (status == STATUS_OK)
        status = validate_trace_write_report(&job, why);
    if (status == STATUS_OK && !options->quiet)
        remarks_print(job.reader);
    *violates = violations_met(job.validation.violations, options->ignored) != 0;
    validation_free(&job.validation);
    reader_close(job.reader);
    sink_discard(job.sink);
    source_close(job.source);
    return explain_shortage(status, &position, options, why);
}
