/* Checks an oracle. The trace is read once, for what it allocates and the last uses; then the
 * oracle is, row by row. */
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/shortage.h"
#include "cli/signals.h"
#include "cli/streams.h"
#include "formats/formats.h"
#include "report/check/check_print.h"
#include "trace/readahead.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct check_job {
    const struct options *options;
    struct source *source;
    struct reader *reader;
    struct oracle_rows *rows;
    struct sink *sink;
    struct progress *progress;
    struct history history;
    struct traced traced;
    struct matching matching;
    uint64_t malformed;
};

/* The report must not go to the file of the oracle. */
static enum status protect_oracle(const struct options *options, struct failure *why)
{
    bool to_file = options->output && strcmp(options->output, "-") != 0;
    bool from_file = strcmp(options->oracle, "-") != 0;
    struct stat oracle, output;
    if ((from_file ? stat(options->oracle, &oracle) : fstat(STDIN_FILENO, &oracle)) != 0 ||
        (to_file ? stat(options->output, &output) : fstat(STDOUT_FILENO, &output)) != 0)
        return STATUS_OK;
    if (!S_ISREG(output.st_mode) || output.st_dev != oracle.st_dev ||
        output.st_ino != oracle.st_ino)
        return STATUS_OK;
    return fail_at(why, STATUS_MEANING, options->oracle, 0,
                   "The report would go to the oracle itself");
}

static enum status check_oracle_open_job(struct check_job *job, struct failure *why)
{
    const struct options *options = job->options;
    enum status status = streams_open_input(&job->source, options, options->trace, why);
    if (status == STATUS_OK)
        status = protect_oracle(options, why);
    if (status == STATUS_OK)
        status = streams_open_output(&job->sink, options, job->source, why);
    if (status == STATUS_OK)
        status = progress_start(&job->progress, options, job->source, why);
    if (status == STATUS_OK)
        status = oracle_rows_open(&job->rows, options->oracle, signals_interrupt(), why);
    if (status == STATUS_OK)
        status = formats_open_reader(&job->reader, job->source, &options->reader, why);
    if (status == STATUS_OK)
        status = streams_check_format(options, job->reader, why);
    if (status == STATUS_OK)
        status = inputs_protect(options, job->reader, job->source, why);
    if (status != STATUS_OK)
        return status;
    status = history_init(&job->history, HELD_BY_NONE, job->reader->explicit_time, why);
    return status == STATUS_OK ? history_keep_proofs(&job->history, why) : status;
}

static enum status check_oracle_batch(void *context, const struct batch *batch,
                                      struct failure *why)
{
    struct check_job *job = context;
    job->malformed += batch->malformed;
    enum status status = traced_add(&job->traced, batch, why);
    if (status == STATUS_OK)
        status = history_add(&job->history, batch, why);
    if (status == STATUS_OK)
        progress_count(job->progress, batch->count, objects_count(job->history.heap.objects));
    return status;
}

static enum status check_oracle_read(struct check_job *job, struct failure *why)
{
    if (job->reader->methods->holds_lifetimes)
        history_tick_by_time(&job->history);
    enum status status =
        readahead_visit(job->reader, job->options->threads, check_oracle_batch, job, why);
    return status == STATUS_OK
               ? matching_read(&job->matching, job->rows, &job->traced, &job->history, why)
               : status;
}

static enum status check_oracle_write_report(struct check_job *job, bool *faulty,
                                             struct failure *why)
{
    const struct options *options = job->options;
    const struct reader_class *methods = job->reader->methods;
    const struct check_names names = {job->reader->name, oracle_rows_name(job->rows),
                                      methods->holds_lifetimes ? methods->name : NULL};
    struct print print = {.sink = job->sink, .why = why};
    struct check check;
    enum status status =
        check_oracle_matches(&check, &job->traced, &job->history, &job->matching, why);
    if (status != STATUS_OK)
        return status;
    *faulty = !check_is_clean(&check);
    if (options->format == FORMAT_JSON)
        check_print_json(&print, &check, &names, options->show);
    else
        check_print_text(&print, &check, &names, options->show);
    if (print.status != STATUS_OK)
        return print.status;
    struct sink *sink = job->sink;
    job->sink = NULL;
    status = sink_commit(sink, why);
    if (status == STATUS_OK && job->malformed > 0 && !options->quiet)
        message(job->reader->name, "%" PRIu64 " malformed line%s passed over", job->malformed,
                job->malformed == 1 ? " was" : "s were");
    return status;
}

enum status check_oracle(const struct options *options, bool *faulty, struct failure *why)
{
    struct check_job job = {.options = options};
    enum status status = check_oracle_open_job(&job, why);
    if (status == STATUS_OK)
        status = check_oracle_read(&job, why);
    struct position position = position_now(job.progress);
    progress_stop(job.progress);
    if (status == STATUS_OK)
        status = check_oracle_write_report(&job, faulty, why);
    matching_free(&job.matching);
    traced_free(&job.traced);
    history_free(&job.history);
    oracle_rows_close(job.rows);
    reader_close(job.reader);
    sink_discard(job.sink);
    source_close(job.source);
    return explain_shortage(status, &position, options, why);
}
