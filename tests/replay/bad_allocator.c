/* SPDX-License-Identifier: MIT */
/* An allocator with a fault, to be preloaded: every block of 1234 bytes is the same memory. And
 * the system does not let a process forget its peak of memory. */
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

enum { SHARED_SIZE = 1234 };

static char shared[SHARED_SIZE];

/* The functions of the C library, found when they are needed first. */
static void find(const char *name, void *function, size_t size)
{
    void *address = dlsym(RTLD_NEXT, name);
    memcpy(function, &address, size);
}

int open(const char *path, int flags, ...)
{
    static int (*original)(const char *, int, ...);
    if (!original)
        find("open", &original, sizeof original);
    if (strcmp(path, "/proc/self/clear_refs") != 0)
        return original(path, flags, 0666);
    errno = EACCES;
    return -1;
}

void *malloc(size_t size)
{
    static void *(*original)(size_t);
    if (!original)
        find("malloc", &original, sizeof original);
    return size == SHARED_SIZE ? shared : original(size);
}

void free(void *block)
{
    static void (*original)(void *);
    if (!original)
        find("free", &original, sizeof original);
    if (block != shared)
        original(block);
}
