/* SPDX-License-Identifier: MIT */
/* Linked into each program that `make coverage` builds, so that tests do not damage the counts
 * that a program writes at its end:
 *
 * A program that ends by _exit or by a signal that it raises writes its counts before that. A
 * soft limit of the size of files is lifted, since a file of counts that is cut off could not
 * be updated by later programs. From then on tests/fault/fault.c makes no call fail, since
 * writing the counts needs memory. */
#include <dlfcn.h>
#include <sys/resource.h>

void __gcov_dump(void);
_Noreturn void __real__exit(int status);
_Noreturn void __wrap__exit(int status);
int __real_raise(int number);
int __wrap_raise(int number);

/* Runs before gcov's destructor, which has a priority: destructors with one run after others.
 */
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
