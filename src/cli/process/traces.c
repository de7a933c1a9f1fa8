/* SPDX-License-Identifier: MIT */
/* Each trace has a process, with memory and a limit of its own; the system can kill one without
 * the others. The main process only starts them and waits. It receives signals only where it
 * asks for them, so that none can come between a check and a wait. */
#include "cli/process/process.h"

#include "base/memory.h"
#include "cli/files/collection.h"
#include "cli/files/outputs.h"
#include "cli/options/options.h"
#include "report/columns.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* An output gets its name only when it is complete, so an output that exists need not be made
 * again. Each output is looked at on its own; a trace is left out if all of its outputs exist.
 */

/* Whether there is a folder of columns at `path`, or else a file. Devices do not keep what is
 * written to them. What is no output, such as the trace itself or another folder, is refused
 * when it is opened. */
static bool is_finished_output(const struct options *options, const char *path, bool is_folder)
{
    struct stat facts, trace;
    if (!path || stat(path, &facts) != 0)
        return false;
    if (is_folder ? !columns_are_all(path) : !S_ISREG(facts.st_mode))
        return false;
    int found = is_standard_stream(options->trace) ? fstat(STDIN_FILENO, &trace)
                                                   : stat(options->trace, &trace);
    return found != 0 || trace.st_dev != facts.st_dev || trace.st_ino != facts.st_ino;
}

/* Whether the trace is to be written, and exists. */
static bool has_trace_output(const struct options *options)
{
    struct failure reported_later = {.status = STATUS_OK};
    struct outputs outputs = {.items = NULL};
    bool has =
        options_write_trace(options) &&
        outputs_add_command(&outputs, options, options->trace, &reported_later) == STATUS_OK &&
        is_finished_output(options, outputs.items[0].path, false);
    outputs_free(&outputs);
    failure_clear(&reported_later);
    return has;
}

/* What other options say of the trace is no longer about anything. */
static void leave_out_trace(struct options *options)
{
    options->output = options->suffix = NULL;
    options->trace_is_there = true;
    options->verify = false;
}

/* Notes that the table of statistics at `file` has only the row of a trace that failed. */
static bool note_failed(struct options *options, const char *file)
{
    bool is_failed = options->report.stats_format == FORMAT_TSV &&
                     stats_are_of_failed(file, !options->report.no_header);
    options->redoes_failed |= is_failed;
    return is_failed;
}

/* Whether the report exists. For the table of all traces, which each writes to standard output,
 * `has_row` says it. */
static bool has_report(struct options *options, const struct output *output, bool has_row)
{
    if (is_standard_stream(output->path))
        return has_row;
    return is_finished_output(options, output->path, output->kind == REPORT_COLUMNS) &&
           !(output->kind == REPORT_STATS && note_failed(options, output->path));
}

/* Leaves out those of `outputs` that exist; returns how many. */
static size_t leave_out_outputs(struct options *options, const struct outputs *outputs,
                                bool has_row)
{
    bool has_more[REPORT_COUNT] = {false}; /* than are there */
    size_t left_out = 0;
    for (size_t i = 0; i < outputs->count; i++) {
        const struct output *output = &outputs->items[i];
        bool has = has_report(options, output, has_row);
        left_out += has;
        has_more[output->kind] |= !has;
        options->left_out[output->kind] |= (uint64_t)has << output->moment;
    }
    for (size_t i = 0; i < REPORT_COUNT; i++)
        if (!has_more[i])
            options->reports[i] = NULL;
    return left_out;
}

/* Leaves out the reports that exist; returns how many. */
static size_t leave_out_reports(struct options *options, bool has_row)
{
    struct failure reported_later = {.status = STATUS_OK};
    struct outputs outputs = {.items = NULL};
    size_t left_out = 0;
    if (outputs_add_reports(&outputs, options, options->trace, &reported_later) == STATUS_OK)
        left_out = leave_out_outputs(options, &outputs, has_row);
    outputs_free(&outputs);
    failure_clear(&reported_later);
    return left_out;
}

/* With --skip-existing: has the options ask only for those outputs of options->trace that do
 * not exist. `has_row`: the table of all traces, which the options name "-", has its row. True:
 * all exist, and the trace is to be left out, which options->verbose reports. */
static bool skip_finished(struct options *options, bool has_row)
{
    if (!options->skip_existing)
        return false;
    bool writes_trace = options_write_trace(options);
    bool has_trace = has_trace_output(options);
    size_t left_out = leave_out_reports(options, has_row) + has_trace;
    bool is_finished = (!writes_trace || has_trace) && !options_want_reports(options);
    if (has_trace)
        leave_out_trace(options);
    if (options->verbose && left_out > 0)
        message(options->trace, is_finished
                                    ? "Left out: its outputs are there already"
                                    : "Some of its outputs are there already, and left out");
    return is_finished;
}

/* Reports how many traces were left out, unless the options forbid it. */
static void report_skipped(const struct options *options, size_t skipped)
{
    size_t all = options->trace_count > 0 ? options->trace_count : 1;
    if (skipped > 0 && !options->quiet)
        message(NULL, "%zu of %zu traces left out: their outputs are there already", skipped,
                all);
}

enum { MESSAGES_SIZE = 16 * 1024 };

struct pool {
    const struct options *options;
    command_function *run;
    struct collection *collection; /* of standard outputs; NULL: none */
    char *table;                   /* the file of the table, if there is one */
    pid_t *processes;              /* by trace; 0: not running */
    size_t started;
    size_t running;
    size_t failed;
    size_t skipped;
    bool differs;
    enum status status;  /* of the collection, whose failure ends all */
    struct failure *why; /* of the failure of the collection */
    int ended_by;        /* the signal that asks to end; 0: none */
    sigset_t awaited;    /* the handled signals, and SIGCHLD */
    sigset_t unmasked;   /* the mask before */
};

/* Whether no more traces are to begin. */
static bool is_ending(const struct pool *pool)
{
    return pool->ended_by != 0 || pool->status != STATUS_OK;
}

/* Whether another trace can begin now. */
static bool can_start(const struct pool *pool)
{
    return pool->running < pool->options->jobs && pool->started < pool->options->trace_count &&
           !is_ending(pool) && collection_has_room(pool->collection, pool->started);
}

/* In the process of a trace: carries out `one`, its options. Each message is written at once,
 * so that those of different processes do not mix. */
static _Noreturn void work(const struct pool *pool, const struct options *one, size_t trace)
{
    static char messages[MESSAGES_SIZE];
    struct failure why = {.status = STATUS_OK};
    setvbuf(stderr, messages, _IOFBF, sizeof messages);
    enum status status = signals_install(&why);
    sigprocmask(SIG_SETMASK, &pool->unmasked, NULL);
    bool differs = false;
    if (status == STATUS_OK)
        status = collection_redirect(pool->collection, trace, &why);
    if (status == STATUS_OK)
        status = pool->run(one, &differs, &why);
    if (interrupt_requested(signals_interrupt()))
        signals_reraise();
    if (status != STATUS_OK)
        failure_print(&why, message_program, stderr);
    failure_clear(&why);
    collection_close(pool->collection);
    free(pool->table);
    free(pool->processes);
    ending_is_regular();
    if (status != STATUS_OK)
        exit(EXIT_TROUBLE);
    exit(differs ? EXIT_DIFFERS : EXIT_SUCCESS);
}

static void signal_all(const struct pool *pool, int signal)
{
    for (size_t trace = 0; trace < pool->started; trace++)
        if (pool->processes[trace] > 0)
            kill(pool->processes[trace], signal);
}

/* Collects what a trace has written, once its result is known. This may take long, so signals
 * that end the program are let through meanwhile. */
static void collect_trace(struct pool *pool, size_t trace, bool is_good)
{
    sigset_t usual = pool->unmasked;
    sigaddset(&usual, SIGCHLD);
    sigaddset(&usual, SIGUSR1);
    pool->failed += !is_good;
    if (is_ending(pool))
        return;
    sigprocmask(SIG_SETMASK, &usual, NULL);
    pool->status = collection_end(pool->collection, trace, is_good, pool->why);
    sigprocmask(SIG_BLOCK, &pool->awaited, NULL);
    if (interrupt_requested(signals_interrupt()))
        pool->ended_by = atomic_load(&signals_interrupt()->signal);
    if (is_ending(pool))
        signal_all(pool, pool->ended_by ? pool->ended_by : SIGTERM);
}

static void start_next(struct pool *pool)
{
    size_t trace = pool->started++;
    struct options one = *pool->options;
    one.trace = pool->options->traces[trace];
    bool has_row;
    pool->status = collection_begin(pool->collection, trace, &has_row, pool->why);
    if (pool->status == STATUS_OK && skip_finished(&one, has_row)) {
        pool->skipped++;
        collect_trace(pool, trace, true);
        return;
    }
    if (pool->status != STATUS_OK) {
        signal_all(pool, SIGTERM);
        return;
    }
    pid_t process = fork();
    if (process == 0)
        work(pool, &one, trace);
    if (process < 0) {
        message(pool->options->traces[trace], "Cannot start a process: %s", strerror(errno));
        collect_trace(pool, trace, false);
        return;
    }
    pool->processes[trace] = process;
    pool->running++;
}

static void note_end(struct pool *pool, pid_t process, int result)
{
    size_t trace = 0;
    while (trace < pool->started && pool->processes[trace] != process)
        trace++;
    if (trace == pool->started)
        return;
    pool->processes[trace] = 0;
    pool->running--;
    bool differs = WIFEXITED(result) && WEXITSTATUS(result) == EXIT_DIFFERS;
    pool->differs |= differs;
    if (WIFSIGNALED(result) && !is_ending(pool))
        message(pool->options->traces[trace], "The process was killed: %s",
                strsignal(WTERMSIG(result)));
    collect_trace(pool, trace, result == 0 || differs);
}

/* Waits for a signal: processes have ended, or it is to be passed on to them. */
static void await_event(struct pool *pool)
{
    int signal = sigwaitinfo(&pool->awaited, NULL);
    if (signal < 0)
        return;
    if (signal != SIGCHLD) {
        signal_all(pool, signal);
        if (signal != SIGUSR1)
            pool->ended_by = signal;
        return;
    }
    int result;
    pid_t process;
    while ((process = waitpid(-1, &result, WNOHANG)) > 0)
        note_end(pool, process, result);
}

static void run_pool(struct pool *pool)
{
    signals_handled(&pool->awaited);
    sigaddset(&pool->awaited, SIGCHLD);
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_BLOCK, &pool->awaited, &pool->unmasked);
    while (pool->running > 0 || can_start(pool)) {
        if (can_start(pool))
            start_next(pool);
        else
            await_event(pool);
    }
    sigprocmask(SIG_SETMASK, &pool->unmasked, NULL);
}

/* The result of the whole run. */
static enum status pool_result(struct pool *pool, struct failure *why)
{
    if (pool->ended_by)
        signals_note(pool->ended_by);
    else if (pool->status == STATUS_OK)
        pool->status = collection_commit(pool->collection, why);
    if (pool->status != STATUS_OK || pool->failed == 0)
        return pool->status;
    return fail(why, STATUS_MEANING, "%zu of %zu traces failed", pool->failed,
                pool->options->trace_count);
}

/* Runs all traces; if there is a table, each writes its row. */
static enum status run_all(struct pool *pool, struct failure *why)
{
    const struct options *options = pool->options;
    enum status status = outputs_check_all(options, pool->table, why);
    if (status == STATUS_OK)
        status = collection_open(&pool->collection, options, pool->table, why);
    if (status != STATUS_OK)
        return status;
    pool->processes = array_new(options->trace_count, sizeof *pool->processes);
    if (pool->processes) {
        run_pool(pool);
        status = pool_result(pool, why);
    } else {
        status = fail_memory(why);
    }
    free(pool->processes);
    collection_close(pool->collection);
    return status;
}

static enum status run_several(const struct options *options, command_function *run,
                               bool *differs, struct failure *why)
{
    struct options each = *options;
    struct pool pool = {.options = &each, .run = run, .status = STATUS_OK, .why = why};
    enum status status = STATUS_OK;
    if (outputs_shared_table(options)) {
        if (options->command == COMMAND_MATCH)
            each.output = NULL;
        else
            each.reports[REPORT_STATS] = "-";
        status = output_name_make(&pool.table, outputs_shared_table(options), NULL, why);
    }
    if (status == STATUS_OK)
        status = run_all(&pool, why);
    report_skipped(options, pool.skipped);
    free(pool.table);
    *differs = pool.differs;
    return status;
}

enum status traces_run(const struct options *options, command_function *run, bool *differs,
                       struct failure *why)
{
    bool has_command = options->command < COMMAND_VERSION;
    if (has_command && (options->trace_count > 1 || outputs_shared_table(options)))
        return run_several(options, run, differs, why);
    struct options missing = *options;
    if (!has_command || !skip_finished(&missing, false))
        return run(&missing, differs, why);
    report_skipped(options, 1);
    return STATUS_OK;
}
