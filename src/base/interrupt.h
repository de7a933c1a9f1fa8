/* SPDX-License-Identifier: MIT */
/* How library code learns that the program is to end. The code that installs signal handlers
 * makes one of these and passes it to functions that may block or take long; these then stop
 * with STATUS_INTERRUPTED. */
#ifndef ETMERLIN_BASE_INTERRUPT_H
#define ETMERLIN_BASE_INTERRUPT_H

#include "base/status.h"

#include <stdatomic.h>
#include <stdbool.h>

struct interrupt {
    atomic_int signal; /* the signal that asks the program to end; 0: none has */
    int descriptor;    /* for poll: readable once a signal has asked; -1: there is none */
};

/* Whether the program is to end. NULL, for programs without handlers: never. */
static inline bool interrupt_requested(const struct interrupt *interrupt)
{
    return interrupt && atomic_load_explicit(&interrupt->signal, memory_order_relaxed) != 0;
}

/* STATUS_INTERRUPTED: the program is to end. */
static inline enum status MUST_CHECK interrupt_check(const struct interrupt *interrupt,
                                                     struct failure *why)
{
    return interrupt_requested(interrupt) ? fail(why, STATUS_INTERRUPTED, "Interrupted")
                                          : STATUS_OK;
}

#endif
