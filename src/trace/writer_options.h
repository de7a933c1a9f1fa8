/* SPDX-License-Identifier: MIT */
/* How an output is to be written. */
#ifndef ETMERLIN_TRACE_WRITER_OPTIONS_H
#define ETMERLIN_TRACE_WRITER_OPTIONS_H

#include "io/spool.h"

#include <stdbool.h>

struct writer_options {
    bool explicit_time; /* the records carry their own time and have no threads */
    bool compact;       /* HATF: settings that make the output small */
    bool little_endian; /* HATF */
    /* Recorded deaths have times of another clock; in a format with times, they get those of
     * the trace's clock at their place. */
    bool deaths_by_position;
    struct temporary_folder temporary; /* of a temporary file that a writer may need */
};

#endif
