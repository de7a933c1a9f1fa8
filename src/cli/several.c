/* SPDX-License-Identifier: MIT */
/* A process for each trace: it has its own memory, with its own limit, and takes
 * no other with it when the system kills it. This one only starts and awaits
 * them; it takes signals when it asks for them, so that none can come between a
 * look and a wait. */
#include "cli/several.h"

#include "base/memory.h"
#include "cli/commands.h"
#include "cli/ending.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/report_names.h"
#include "cli/signals.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MESSAGES_SIZE = 16 * 1024 };

struct pool {
    const struct options *options;
    pid_t *processes; /* by trace; 0: not running */
    size_t started;
    size_t running;
    size_t failed;
    int ended_by;      /* the signal that asks to end; 0: none */
    sigset_t awaited;  /* the signals that are handled, and SIGCHLD */
    sigset_t unmasked; /* the mask before */
};

/* Messages of one process are written at once, not among those of others. */
static _Noreturn void work(const struct pool *pool, size_t trace)
{
    static char messages[MESSAGES_SIZE];
    struct failure why = {.status = STATUS_OK};
    setvbuf(stderr, messages, _IOFBF, sizeof messages);
    enum status status = signals_install(&why);
    sigprocmask(SIG_SETMASK, &pool->unmasked, NULL);
    struct options one = *pool->options;
    one.trace = pool->options->traces[trace];
    if (status == STATUS_OK)
        status = add_deaths(&one, &why);
    if (interrupt_requested(signals_interrupt()))
        signals_reraise();
    if (status != STATUS_OK)
        failure_print(&why, message_program, stderr);
    failure_clear(&why);
    free(pool->processes);
    ending_is_regular();
    exit(status == STATUS_OK ? EXIT_SUCCESS : EXIT_TROUBLE);
}

static void start_next(struct pool *pool)
{
    size_t trace = pool->started++;
    pid_t process = fork();
    if (process == 0)
        work(pool, trace);
    if (process < 0) {
        message(pool->options->traces[trace], "Cannot start a process: %s", strerror(errno));
        pool->failed++;
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
    pool->failed += result != 0;
    if (WIFSIGNALED(result) && pool->ended_by == 0)
        message(pool->options->traces[trace], "The process was killed: %s",
                strsignal(WTERMSIG(result)));
}

static void signal_all(const struct pool *pool, int signal)
{
    for (size_t trace = 0; trace < pool->started; trace++)
        if (pool->processes[trace] > 0)
            kill(pool->processes[trace], signal);
}

/* Waits for a signal: that processes have ended, or one to pass on to them. */
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
    const struct options *options = pool->options;
    signals_handled(&pool->awaited);
    sigaddset(&pool->awaited, SIGCHLD);
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_BLOCK, &pool->awaited, &pool->unmasked);
    while (pool->running > 0 || (pool->started < options->trace_count && pool->ended_by == 0)) {
        if (pool->running < options->jobs && pool->started < options->trace_count &&
            pool->ended_by == 0)
            start_next(pool);
        else
            await_event(pool);
    }
    sigprocmask(SIG_SETMASK, &pool->unmasked, NULL);
}

enum status add_deaths_to_several(const struct options *options, struct failure *why)
{
    struct pool pool = {.options = options};
    enum status status = output_check_distinct(options, why);
    if (status == STATUS_OK)
        status = report_names_check(options, why);
    if (status != STATUS_OK)
        return status;
    pool.processes = array_new(options->trace_count, sizeof *pool.processes);
    if (!pool.processes)
        return fail_memory(why);
    run_pool(&pool);
    free(pool.processes);
    if (pool.ended_by)
        signals_note(pool.ended_by);
    if (pool.failed > 0)
        return fail(why, STATUS_MEANING, "%zu of %zu traces failed", pool.failed,
                    options->trace_count);
    return STATUS_OK;
}
