/* SPDX-License-Identifier: MIT */
/* The descriptor of standard error is copied: when a program closes its own, the JDK puts
 * /dev/null in its place. The end of a pipe is not copied: servers close it when they are
 * ready, and who started them reads to the end of it. */
#include "tracer.h"

#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

static FILE *stream;

/* Whether somebody may wait for the end of what is written there. */
static bool has_reader(int descriptor)
{
    struct stat facts;
    return fstat(descriptor, &facts) == 0 &&
           (S_ISFIFO(facts.st_mode) || S_ISSOCK(facts.st_mode));
}

void messages_open(void)
{
    if (has_reader(STDERR_FILENO))
        return;
    int copy = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    stream = copy < 0 ? NULL : fdopen(copy, "w");
    if (stream)
        setvbuf(stream, NULL, _IONBF, 0);
    else if (copy >= 0)
        close(copy);
}

FILE *messages(void)
{
    return stream ? stream : stderr;
}
