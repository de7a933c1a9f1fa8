/* SPDX-License-Identifier: MIT */
/* The terminal sends its signals to all processes in the foreground, so the child has these
 * already; others were sent to this process alone. Signals stay blocked while the number of the
 * child is that of no process, or of another one. */
#include "watch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const int passed_on[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
enum { PASSED_ON = sizeof passed_on / sizeof *passed_on };

static volatile pid_t child;

/* What this process has inherited, and the child gets. Where the end of children is ignored,
 * nobody would learn their status, so this process does not ignore it. */
struct former {
    sigset_t mask;
    struct sigaction on_child;
};

static void pass_on(int number, siginfo_t *info, void *context)
{
    int error = errno;
    (void)context;
    if (info->si_code <= 0) /* a process has sent it */
        kill(child, number);
    errno = error;
}

/* Signals that are ignored, as by nohup(1), stay ignored. */
static void handle_signals(const sigset_t *signals)
{
    struct sigaction action = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO | SA_RESTART},
                     former;
    action.sa_mask = *signals;
    for (int i = 0; i < PASSED_ON; i++)
        if (sigaction(passed_on[i], NULL, &former) == 0 && former.sa_handler != SIG_IGN)
            sigaction(passed_on[i], &action, NULL);
}

/* Runs the command in this process, which is the child; after a failure, writes the error
 * number to `report`, which otherwise closes. Unlike posix_spawn, execvp runs a script without
 * "#!" by the shell. */
static _Noreturn void become(char **command, const struct former *former, int report)
{
    sigaction(SIGCHLD, &former->on_child, NULL);
    sigprocmask(SIG_SETMASK, &former->mask, NULL);
    execvp(command[0], command);
    int error = errno;
    ssize_t reported = write(report, &error, sizeof error);
    _exit(reported != sizeof error);
}

/* Waits until the child runs the command, or has failed to. Returns 0 or the error number. */
static int await_start(int report)
{
    int error = 0;
    ssize_t length;
    while ((length = read(report, &error, sizeof error)) < 0 && errno == EINTR)
        continue;
    if (length == sizeof error)
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
            continue;
    return length == sizeof error ? error : 0;
}

/* Starts the command. Returns 0 or an error number. */
static int start(char **command, const struct former *former)
{
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0)
        return errno;
    pid_t started = fork();
    if (started == 0)
        become(command, former, report[1]);
    int error = started < 0 ? errno : 0;
    close(report[1]);
    child = started;
    if (!error)
        error = await_start(report[0]);
    close(report[0]);
    return error;
}

/* Waits for the end of the child with the signals blocked at last: when it is no more, its
 * number is that of no process. */
static void await_end(const sigset_t *signals, int *status)
{
    siginfo_t ended;
    while (waitid(P_PID, (id_t)child, &ended, WEXITED | WNOWAIT) != 0 && errno == EINTR)
        continue;
    sigprocmask(SIG_BLOCK, signals, NULL);
    while (waitpid(child, status, 0) < 0 && errno == EINTR)
        continue;
}

int watch_run(char **command, int *status)
{
    const struct sigaction by_default = {.sa_handler = SIG_DFL};
    struct former former;
    sigset_t signals;
    sigemptyset(&signals);
    for (int i = 0; i < PASSED_ON; i++)
        sigaddset(&signals, passed_on[i]);
    sigprocmask(SIG_BLOCK, &signals, &former.mask);
    sigaction(SIGCHLD, &by_default, &former.on_child);
    int error = start(command, &former);
    if (!error)
        handle_signals(&signals);
    sigprocmask(SIG_SETMASK, &former.mask, NULL);
    if (!error)
        await_end(&signals, status);
    return error;
}

int watch_end_by(int signal_number)
{
    enum { BY_SIGNAL = 128 };
    sigset_t only;
    setrlimit(RLIMIT_CORE, &(struct rlimit){0}); /* the child has left its own */
    signal(signal_number, SIG_DFL);
    raise(signal_number);
    sigemptyset(&only);
    sigaddset(&only, signal_number);
    sigprocmask(SIG_UNBLOCK, &only, NULL);
    return BY_SIGNAL + signal_number;
}
