/* SPDX-License-Identifier: MIT */
/* Handlers of signals only set a number, and write to pipes on which threads wait in poll.
 * libarchive ends the process with status 1 when it gets no memory; but here this status means
 * that something differs, and temporary files must not stay. So exit is made to clean up and to
 * end with another status. This is the only global state of the program. */
#include "cli/process/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { READ_END, WRITE_END };

static struct interrupt interrupt = {.descriptor = -1};
/* Never emptied, so that those who ask later get the answer, too. */
static int stop_pipe[2] = {-1, -1};
static int wake_pipe[2] = {-1, -1};

/* All signals that end a process by default, can be caught, and do not come from a defect of
 * the process. */
static const int ending_signals[] = {SIGINT,  SIGTERM, SIGHUP,    SIGPIPE, SIGQUIT,
                                     SIGALRM, SIGXCPU, SIGVTALRM, SIGPROF, SIGUSR2};

enum { ENDING = sizeof ending_signals / sizeof *ending_signals };

/* Writes a byte. A full pipe already has one. Other failures are not expected; since somebody
 * waits for the byte, it is then tried again. */
static void leave_note(int descriptor)
{
    int error = errno;
    for (int tries = 0; tries < 3 && write(descriptor, "", 1) < 0 && errno != EAGAIN; tries++)
        continue;
    errno = error;
}

void signals_note(int signal)
{
    atomic_store_explicit(&interrupt.signal, signal, memory_order_relaxed);
    leave_note(stop_pipe[WRITE_END]);
}

static void handle_usr1(int signal)
{
    (void)signal;
    leave_note(wake_pipe[WRITE_END]);
}

static enum status open_pipe(int ends[2], struct failure *why)
{
    if (ends[READ_END] >= 0) {
        close(ends[READ_END]);
        close(ends[WRITE_END]);
    }
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0)
        return STATUS_OK;
    ends[READ_END] = ends[WRITE_END] = -1;
    return fail_errno(why, NULL, "make a pipe", errno);
}

/* Installs a handler, without SA_RESTART, so that blocking calls return. */
static enum status handle(int signal, void (*handler)(int), struct failure *why)
{
    struct sigaction action;
    if (sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_IGN)
        return STATUS_OK;
    action = (struct sigaction){.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    if (sigaction(signal, &action, NULL) != 0)
        return fail_errno(why, NULL, "handle a signal", errno);
    return STATUS_OK;
}

/* Blocks or unblocks SIGUSR1 (`how`: as for sigprocmask). */
static void mask_usr1(int how)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(how, &set, NULL);
}

void signals_hold(void)
{
    mask_usr1(SIG_BLOCK);
}

enum status signals_install(struct failure *why)
{
    enum status status = open_pipe(stop_pipe, why);
    if (status == STATUS_OK)
        status = open_pipe(wake_pipe, why);
    interrupt.descriptor = stop_pipe[READ_END];
    for (size_t i = 0; i < ENDING && status == STATUS_OK; i++)
        status = handle(ending_signals[i], signals_note, why);
    signal(SIGXFSZ, SIG_IGN); /* the write fails with EFBIG, and that can be reported */
    if (status == STATUS_OK)
        status = handle(SIGUSR1, handle_usr1, why);
    if (status == STATUS_OK)
        mask_usr1(SIG_UNBLOCK);
    return status;
}

const struct interrupt *signals_interrupt(void)
{
    return &interrupt;
}

void signals_handled(sigset_t *set)
{
    struct sigaction action;
    sigemptyset(set);
    for (size_t i = 0; i < ENDING; i++)
        if (sigaction(ending_signals[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(set, ending_signals[i]);
    if (sigaction(SIGUSR1, NULL, &action) == 0 && action.sa_handler != SIG_IGN)
        sigaddset(set, SIGUSR1);
}

int signals_wake_descriptor(void)
{
    return wake_pipe[READ_END];
}

void signals_wake(void)
{
    leave_note(wake_pipe[WRITE_END]);
}

void signals_slept(void)
{
    char bytes[64];
    while (read(wake_pipe[READ_END], bytes, sizeof bytes) == sizeof bytes)
        continue;
}

void signals_reraise(void)
{
    int number = atomic_load_explicit(&interrupt.signal, memory_order_relaxed);
    if (number == 0)
        return;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    signal(number, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(number);
}

static struct sink_list sinks;
static struct folder_list folders;
static bool is_regular;

struct sink_list *ending_sinks(void)
{
    return &sinks;
}

struct folder_list *ending_folders(void)
{
    return &folders;
}

void ending_clean_up(void)
{
    if (is_regular)
        return;
    sink_list_unlink(&sinks);
    folder_list_remove(&folders);
    fflush(stderr);
    _exit(EXIT_TROUBLE);
}

void ending_by_signal(void)
{
    if (!interrupt_requested(signals_interrupt()))
        return;
    sink_list_unlink(&sinks);
    folder_list_remove(&folders);
    signals_reraise();
}

void ending_is_regular(void)
{
    is_regular = true;
}
