/* SPDX-License-Identifier: MIT */
/* The descriptor of standard error is copied: when a program closes its own, the JDK puts
 * /dev/null in its place. */
#include "messages.h"

#include <fcntl.h>
#include <unistd.h>

static FILE *stream;

void messages_open(void)
{
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
