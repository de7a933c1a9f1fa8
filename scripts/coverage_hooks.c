/* SPDX-License-Identifier: MIT */
/* Linked into each program that `make coverage` builds, so that what the tests do to a program
 * does no harm to the counts that it writes at its end:
 *
 *   - a program that ends itself at once, or by a signal, writes them before;
 *   - a soft limit of the size of files is lifted: it would leave a file of counts that is cut
 * off, to which no later program can add;
 *   - no call fails any more by tests/fault/fault.c: memory is needed for the counts. */
#include <dlfcn.h>
#include <sys/resource.h>

void __gcov_dump(void);
_Noreturn void __real__exit(int status);
_Noreturn void __wrap__exit(int status);
int __real_raise(int number);
int __wrap_raise(int number);

/* Runs before the counts are written: that has a higher priority, and such come last. */
__attribute__((destructor)) static void prepare_counts(void)
{
    struct rlimit limit;
    void (*stop_faults)(void);
    *(void **)&stop_faults = dlsym(RTLD_DEFAULT, "fault_stop");
    if (stop_faults)
        stop_faults();
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_FSIZE, &limit);
}

void __wrap__exit(int status)
{
    prepare_counts();
    __gcov_dump();
    __real__exit(status);
}

int __wrap_raise(int number)
{
    prepare_counts();
    __gcov_dump();
    return __real_raise(number);
}
