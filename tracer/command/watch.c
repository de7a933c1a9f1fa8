/* SPDX-License-Identifier: MIT */
/* The terminal sends its signals to all processes in the foreground, so the child has these
 * already; others were sent to this process alone. Signals stay blocked while the number of the
 * child is that of no process, or of another one. */
#include "watch.h"

#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const int passed_on[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
enum { PASSED_ON = sizeof passed_on / sizeof *passed_on };

static volatile pid_t child;

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

/* Starts the command with the signals `mask` blocked. Returns 0 or an error number. */
static int start(char **command, const sigset_t *mask)
{
    posix_spawnattr_t attributes;
    pid_t started;
    int error = posix_spawnattr_init(&attributes);
    if (error)
        return error;
    error = posix_spawnattr_setsigmask(&attributes, mask);
    if (!error)
        error = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    if (!error)
        error = posix_spawnp(&started, command[0], NULL, &attributes, command, environ);
    posix_spawnattr_destroy(&attributes);
    if (!error)
        child = started;
    return error;
}

int watch_run(char **command, int *status)
{
    sigset_t signals, mask;
    siginfo_t ended;
    sigemptyset(&signals);
    for (int i = 0; i < PASSED_ON; i++)
        sigaddset(&signals, passed_on[i]);
    sigprocmask(SIG_BLOCK, &signals, &mask);
    int error = start(command, &mask);
    if (!error)
        handle_signals(&signals);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    if (error)
        return error;
    while (waitid(P_PID, (id_t)child, &ended, WEXITED | WNOWAIT) != 0 && errno == EINTR)
        continue;
    sigprocmask(SIG_BLOCK, &signals, NULL);
    while (waitpid(child, status, 0) < 0 && errno == EINTR)
        continue;
    return 0;
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

/* A pattern that matches the names that `path` gives to the outputs of processes. The caller
 * owns it; NULL: no memory. */
static char *pattern_of(const char *path)
{
    static const char any_process[] = "[0-9]*";
    char *made = malloc(strlen(path) * sizeof any_process + 1), *to = made;
    for (; made && *path; path++) {
        bool is_escape = *path == '%' && (path[1] == 'p' || path[1] == '%');
        if (is_escape && *++path == 'p') {
            to = stpcpy(to, any_process);
            continue;
        }
        if (strchr("*?[\\", *path))
            *to++ = '\\';
        *to++ = *path;
    }
    if (made)
        *to = '\0';
    return made;
}

uint64_t watch_files(const char *path)
{
    char *pattern = pattern_of(path);
    glob_t found;
    struct stat facts;
    uint64_t sum = 0;
    if (pattern && glob(pattern, GLOB_NOSORT, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            if (stat(found.gl_pathv[i], &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size)
                sum += (uint64_t)facts.st_ino + (uint64_t)facts.st_ctim.tv_sec * 1000000007 +
                       (uint64_t)facts.st_ctim.tv_nsec;
        globfree(&found);
    }
    free(pattern);
    return sum;
}
