/* SPDX-License-Identifier: MIT */
/* What happens to objects in a trace whose format has calls and frees with times of its own.
 * Records leave these times out. */
#ifndef ETMERLIN_TRACE_MOMENTS_H
#define ETMERLIN_TRACE_MOMENTS_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

enum moment_kind {
    MOMENT_ALLOCATED, /* object, of type */
    MOMENT_ENTERED,   /* a method of object */
    MOMENT_LEFT,      /* a call is left, or still open at the end */
    MOMENT_ABANDONED, /* a call is gone since an unknown moment: an outer one is left */
    MOMENT_FREED,     /* object, freed by the collector */
    MOMENT_ENDED,     /* the end of the program; more may follow */
    MOMENT_OTHER      /* nothing happens to an object */
};

/* Fields that a kind does not have are unspecified. */
struct moment {
    enum moment_kind kind;
    int64_t time;    /* as in the trace */
    uint64_t object; /* its id */
    uint64_t serial; /* of the object: from 1, in the order in which objects begin; 0: none */
    uint64_t type;
    bool constructor; /* the method is one */
};

/* Called for each moment; anything but STATUS_OK ends the reading. */
typedef enum status (*moment_visitor)(void *context, const struct moment *moment,
                                      struct failure *why);

#endif
