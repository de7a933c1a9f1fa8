/* SPDX-License-Identifier: MIT */
/* A library to be preloaded that does at a known moment what else comes at any:
 * $INTRUDER=signal sends SIGUSR1 while the command line is read, before there are handlers;
 * $INTRUDER=exit ends the process inside libarchive, as that does when it gets no memory;
 * $INTRUDER=stuck sends SIGTERM while an output is synchronized, and never returns. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_wanted(const char *what)
{
    const char *wanted = getenv("INTRUDER");
    return wanted && strcmp(wanted, what) == 0;
}

int getopt_long(int count, char *const *arguments, const char *shorts,
                const struct option *longs, int *index)
{
    typedef int function(int, char *const *, const char *, const struct option *, int *);
    static function *real;
    if (!real) {
        void *address = dlsym(RTLD_NEXT, "getopt_long");
        memcpy(&real, &address, sizeof real);
    }
    if (is_wanted("signal"))
        raise(SIGUSR1);
    return real(count, arguments, shorts, longs, index);
}

int archive_read_next_header(void *archive, void **entry);

int archive_read_next_header(void *archive, void **entry)
{
    typedef int function(void *, void **);
    function *real;
    void *address = dlsym(RTLD_NEXT, "archive_read_next_header");
    memcpy(&real, &address, sizeof real);
    if (is_wanted("exit"))
        exit(1);
    return real(archive, entry);
}

int fsync(int descriptor)
{
    typedef int function(int);
    function *real;
    void *address = dlsym(RTLD_NEXT, "fsync");
    memcpy(&real, &address, sizeof real);
    if (!is_wanted("stuck"))
        return real(descriptor);
    raise(SIGTERM);
    for (;;)
        pause();
}
