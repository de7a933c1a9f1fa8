/* SPDX-License-Identifier: MIT */
/* Files are read with plain system calls into memory on the stack: a program that measures an
 * allocator must not allocate meanwhile. */
#include "replay/memory_use.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Reads the start of a file of /proc as text; empty if it cannot be read. */
static void read_start(const char *path, char *text, size_t size)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = descriptor < 0 ? 0 : read(descriptor, text, size - 1);
    text[got > 0 ? got : 0] = '\0';
    if (descriptor >= 0)
        close(descriptor);
}

uint64_t memory_available(void)
{
    char text[4096];
    read_start("/proc/meminfo", text, sizeof text);
    const char *available = strstr(text, "MemAvailable:");
    return available ? strtoull(available + strlen("MemAvailable:"), NULL, 10) * 1024 : 0;
}

/* What RLIMIT_DATA counts: not the stack. */
static uint64_t data_in_use(void)
{
    char text[4096];
    read_start("/proc/self/status", text, sizeof text);
    const char *data = strstr(text, "VmData:");
    return data ? strtoull(data + strlen("VmData:"), NULL, 10) * 1024 : 0;
}

enum status memory_bound(uint64_t bytes, uint64_t *former, struct failure *why)
{
    struct rlimit limit;
    rlim_t most;
    if (getrlimit(RLIMIT_DATA, &limit) != 0)
        return fail_errno(why, NULL, "limit the memory", errno);
    *former = limit.rlim_cur;
    if (!__builtin_add_overflow(data_in_use(), bytes, &most) && most < limit.rlim_cur)
        limit.rlim_cur = most;
    if (setrlimit(RLIMIT_DATA, &limit) != 0)
        return fail_errno(why, NULL, "limit the memory", errno);
    return STATUS_OK;
}

void memory_unbound(uint64_t former)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_DATA, &limit) != 0)
        return;
    limit.rlim_cur = former;
    setrlimit(RLIMIT_DATA, &limit);
}

uint64_t memory_resident(void)
{
    char text[256];
    read_start("/proc/self/statm", text, sizeof text);
    const char *second = strchr(text, ' ');
    return second ? strtoull(second, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

uint64_t memory_peak(void)
{
    char text[4096];
    read_start("/proc/self/status", text, sizeof text);
    const char *peak = strstr(text, "VmHWM:");
    return peak ? strtoull(peak + strlen("VmHWM:"), NULL, 10) * 1024 : 0;
}

bool memory_forget_peak(void)
{
    int descriptor = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
    bool is_forgotten = descriptor >= 0 && write(descriptor, "5", 1) == 1;
    if (descriptor >= 0)
        close(descriptor);
    return is_forgotten;
}
