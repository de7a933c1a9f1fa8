/* SPDX-License-Identifier: MIT */
/* The system does the accounting, of all memory that the process could write to
 * and that is its own: arrays, Judy's nodes, decoders' windows, stacks. A request
 * beyond the limit then fails like one on a machine without more memory. */
#include "cli/memory_limit.h"

#include "base/number.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

uint64_t memory_in_use(void)
{
    char text[256];
    int descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return 0;
    ssize_t length = read(descriptor, text, sizeof text - 1);
    close(descriptor);
    unsigned long pages;
    text[length > 0 ? length : 0] = '\0';
    if (sscanf(text, "%*u %*u %*u %*u %*u %lu", &pages) != 1)
        return 0;
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

enum status memory_limit_set(uint64_t bytes, struct failure *why)
{
    uint64_t used = memory_in_use();
    struct rlimit limit;
    if (used >= bytes)
        return fail(why, STATUS_MEANING,
                    "The memory limit of %llu bytes is too low: the program alone has %llu",
                    (unsigned long long)bytes, (unsigned long long)used);
    if (getrlimit(RLIMIT_DATA, &limit) != 0)
        return fail_errno(why, NULL, "limit the memory", errno);
    if (bytes < limit.rlim_cur)
        limit.rlim_cur = bytes;
    if (setrlimit(RLIMIT_DATA, &limit) != 0)
        return fail_errno(why, NULL, "limit the memory", errno);
    return STATUS_OK;
}
