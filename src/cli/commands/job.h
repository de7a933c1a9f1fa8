/* SPDX-License-Identifier: MIT */
/* What the commands share: those that read a trace and write one report on it, and those that
 * run an engine (merlin/engine.h). */
#ifndef ETMERLIN_CLI_COMMANDS_JOB_H
#define ETMERLIN_CLI_COMMANDS_JOB_H

#include "cli/files/outputs.h"
#include "cli/options/options.h"
#include "cli/process/progress.h"
#include "io/sink.h"
#include "io/source.h"
#include "merlin/engine.h"
#include "report/print.h"

/* Zero-initialize it, but for what is found before it is opened; report_job_close ends it. */
struct report_job {
    const struct options *options; /* to be set before if report_job_open may not be called */
    struct outputs outputs;        /* of the command; reports may be there before */
    struct source *source;
    struct reader *reader;
    struct sink *sink;
    struct progress *progress;
    uint64_t malformed; /* lines that were passed over; set by the command */
    bool is_stopped;
    struct position position; /* after report_job_stop: how far the job had come */
};

/* Opens the trace and the output as `options` say, and the reader as `how` says. `options` must
 * outlive *job. STATUS_MEANING: the options do not fit the format of the trace, or the output
 * would replace a file that is read. */
enum status report_job_open(struct report_job *job, const struct options *options,
                            const struct reader_options *how, struct failure *why) MUST_CHECK;

/* STATUS_MEANING: the format of the trace has only lifetimes, to which `option` does not apply.
 */
enum status report_job_refuse_lifetimes(const struct report_job *job, const char *option,
                                        struct failure *why) MUST_CHECK;

/* To be called after the last reading, before anything is released: takes the line of progress
 * off the terminal. Further calls do nothing. */
void report_job_stop(struct report_job *job);

/* Commits the report that was printed to job->sink, and prints the remarks of the reader on
 * standard error, unless the options forbid it. Returns print->status if printing failed. */
enum status report_job_commit(struct report_job *job, const struct print *print,
                              struct failure *why) MUST_CHECK;

/* Releases what is open. To be called after everything else has been released, so that there is
 * memory: if `status` is STATUS_MEMORY, it adds to *why how far the job came. Returns `status`.
 */
enum status report_job_close(struct report_job *job, enum status status,
                             struct failure *why) MUST_CHECK;

/* The options of the engine that `options` imply. The caller sets what its reports want, which
 * deaths are taken, and the observer. */
struct engine_options engine_setup(const struct options *options);

/* The phase of progress for a phase of the engine. */
enum phase engine_phase_shown(enum engine_phase phase);

/* The phases that the engine has after its reading, each of them `times` times. */
struct phases_to_come engine_phases_to_come(const struct engine *engine, unsigned times);

#endif
