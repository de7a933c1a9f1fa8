/* SPDX-License-Identifier: MIT */
/* How an output is to be written. */
#ifndef ETMERLIN_TRACE_WRITER_OPTIONS_H
#define ETMERLIN_TRACE_WRITER_OPTIONS_H

#include "io/spool.h"

#include <stdbool.h>

struct writer_options {
    bool explicit_time;   /* the records carry their own time and have no threads */
    bool compact;         /* HATF: choose settings that make it small */
    bool little_endian;   /* HATF */
    bool deaths_by_place; /* recorded deaths have times of another clock: those of the trace's
                             clock where they stand count, in a format that has times */
    struct temporary_folder temporary; /* of a temporary file that a writer may need */
};

#endif
