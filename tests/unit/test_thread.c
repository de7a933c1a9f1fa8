/* SPDX-License-Identifier: MIT */
#include "base/thread.h"

#include <criterion/criterion.h>
#include <signal.h>

struct seen {
    size_t stack_size;
    sigset_t mask;
};

static void *look(void *argument)
{
    struct seen *seen = argument;
    pthread_attr_t attributes;
    void *stack;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &stack, &seen->stack_size);
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, NULL, &seen->mask);
    return argument;
}

Test(thread, has_a_small_stack_and_takes_no_signals)
{
    struct seen seen = {.stack_size = 0};
    sigset_t before, after;
    pthread_t thread;
    void *result;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    cr_assert(thread_start(&thread, look, &seen) == 0);
    pthread_join(thread, &result);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    cr_assert(result == &seen);
    cr_assert(seen.stack_size > 0 && seen.stack_size <= 512 * 1024);
    cr_assert(sigismember(&seen.mask, SIGTERM) == 1);
    cr_assert(sigismember(&seen.mask, SIGUSR1) == 1);
    cr_assert(sigismember(&after, SIGTERM) == sigismember(&before, SIGTERM));
}
