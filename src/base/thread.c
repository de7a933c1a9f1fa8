/* SPDX-License-Identifier: MIT */
/* All signals are blocked in these threads: signals go to the main thread, which turns them
 * into a flag. The stack is small because a thread for each trace must not take 8 MiB of
 * address space under a memory limit. */
#include "base/thread.h"

#include <signal.h>

int thread_start(pthread_t *thread, void *(*function)(void *), void *argument)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    int error = pthread_attr_init(&attributes);
    if (error)
        return error;
    pthread_attr_setstacksize(&attributes, THREAD_STACK_SIZE);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(thread, &attributes, function, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return error;
}
