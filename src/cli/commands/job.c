/* SPDX-License-Identifier: MIT */
/* All these commands keep to one order: everything is opened before the work begins, the line
 * of progress is taken off the terminal before the report is printed, and remarks follow the
 * complete report. What a command keeps of the trace is its own matter. */
#include "cli/commands/job.h"

#include "cli/files/streams.h"
#include "cli/process/process.h"
#include "formats/formats.h"

enum status report_job_open(struct report_job *job, const struct options *options,
                            const struct reader_options *how, struct failure *why)
{
    job->options = options;
    TRY(streams_open_input(&job->source, options, options->trace, why));
    TRY(outputs_add_command(&job->outputs, options, options->trace, why));
    TRY(streams_open_output(&job->sink, options, outputs_of_command(&job->outputs), job->source,
                            why));
    TRY(progress_start(&job->progress, options, job->source, why));
    TRY(formats_open_reader(&job->reader, job->source, how, why));
    TRY(streams_check_format(options, job->reader, why));
    return inputs_protect(options, job->reader, job->source, why);
}

enum status report_job_refuse_lifetimes(const struct report_job *job, const char *option,
                                        struct failure *why)
{
    if (!job->reader->methods->holds_lifetimes)
        return STATUS_OK;
    return fail_at(why, STATUS_MEANING, job->reader->name, 0,
                   "%s needs methods and references, which the format %s does not have; "
                   "--stats reports on such a trace",
                   option, job->reader->methods->name);
}

void report_job_stop(struct report_job *job)
{
    if (job->is_stopped)
        return;
    job->is_stopped = true;
    job->position = position_now(job->progress);
    progress_stop(job->progress);
    job->progress = NULL;
}

enum status report_job_commit(struct report_job *job, const struct print *print,
                              struct failure *why)
{
    if (print->status != STATUS_OK)
        return print->status;
    struct sink *sink = job->sink;
    job->sink = NULL;
    enum status status = sink_commit(sink, why);
    if (status == STATUS_OK && !job->options->quiet)
        remarks_print_passed_over(job->reader, job->malformed);
    return status;
}

enum status report_job_close(struct report_job *job, enum status status, struct failure *why)
{
    reader_close(job->reader);
    sink_discard(job->sink);
    source_close(job->source);
    outputs_free(&job->outputs);
    return explain_shortage(status, &job->position, job->options, why);
}

struct engine_options engine_setup(const struct options *options)
{
    return (struct engine_options){
        .settings = options->engine,
        .held_by = options->assumptions.held_by,
        .unallocated = options->assumptions.unallocated,
        .at_end = options->assumptions.at_end,
        .temporary = options->source.temporary,
        .interrupt = signals_interrupt(),
    };
}

enum phase engine_phase_shown(enum engine_phase phase)
{
    static const enum phase shown[] = {
        [ENGINE_READING] = PHASE_READING,
        [ENGINE_PROPAGATION] = PHASE_PROPAGATION,
        [ENGINE_MENTIONS] = PHASE_MENTIONS,
        [ENGINE_WINDOWS_PASS] = PHASE_WINDOWS,
    };
    return shown[phase];
}

struct phases_to_come engine_phases_to_come(const struct engine *engine, unsigned times)
{
    struct phases_to_come later = {.times = {0}};
    for (enum engine_phase phase = ENGINE_PROPAGATION; phase <= ENGINE_WINDOWS_PASS; phase++)
        if (engine_has_phase(engine, phase))
            later.times[engine_phase_shown(phase)] = times;
    return later;
}
