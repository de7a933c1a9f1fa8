/* SPDX-License-Identifier: MIT */
/* How library code learns that the program is to end. Whoever installs signal
 * handlers makes one of these and hands it to what may block or take long; that
 * then stops with STATUS_INTERRUPTED. */
#ifndef ETMERLIN_BASE_INTERRUPT_H
#define ETMERLIN_BASE_INTERRUPT_H

#include "base/status.h"

#include <stdatomic.h>
#include <stdbool.h>

struct interrupt {
    atomic_int signal; /* the signal that asked for it; 0: nobody has */
    int descriptor;    /* for poll: can be read from that moment on; -1: there is none */
};

/* Whether the program is to end. NULL, for programs without handlers: never. */
static inline bool interrupt_requested(const struct interrupt *interrupt)
{
    return interrupt && atomic_load_explicit(&interrupt->signal, memory_order_relaxed) != 0;
}

/* Fails with STATUS_INTERRUPTED if it is. */
static inline enum status MUST_CHECK interrupt_check(const struct interrupt *interrupt,
                                                     struct failure *why)
{
    return interrupt_requested(interrupt) ? fail(why, STATUS_INTERRUPTED, "Interrupted")
                                          : STATUS_OK;
}

#endif
