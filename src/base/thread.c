/* SPDX-License-Identifier: MIT */
/* Threads with a small stack and with all signals blocked: signals go to the main thread, which
 * turns them into a flag, and a thread a trace must not cost 8 MiB of address space under a
 * memory limit. */
#include "base/thread.h"

#include <signal.h>

/* Decoders keep their tables elsewhere; sanitizers and debuggers need some of this. */
enum { STACK_SIZE = 256 * 1024 };

int thread_start(pthread_t *thread, void *(*function)(void *), void *argument)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    int error = pthread_attr_init(&attributes);
    if (error)
        return error;
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(thread, &attributes, function, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return error;
}
