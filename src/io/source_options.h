/* SPDX-License-Identifier: MIT */
/* How a source is to be read. */
#ifndef ETMERLIN_IO_SOURCE_OPTIONS_H
#define ETMERLIN_IO_SOURCE_OPTIONS_H

#include "base/interrupt.h"
#include "io/spool.h"

#include <stdbool.h>

/* Whether to keep a copy of what is read, for the next time. The first three are the words of
 * --spool, in their order. */
enum spool_mode {
    SPOOL_AUTO,   /* of input that cannot be read, or not quickly be decompressed, twice */
    SPOOL_NEVER,  /* refuse what cannot be read twice */
    SPOOL_ALWAYS, /* of all input, decompressed */
    SPOOL_ONCE,   /* of nothing: a pipe is read once, and never rewound */
};

struct source_options {
    enum spool_mode spool;
    struct temporary_folder temporary; /* of copies */
    const struct interrupt *interrupt; /* NULL: reading never stops early */
    bool takes_cut; /* compressed data that end too early end there, instead of being refused */
    const char *cut_advice; /* what to do about data that are refused so, for the message; NULL:
                             * there is none */
    bool is_found; /* the user has not named it: it must be a regular file, since a named pipe
                    * would be waited for */
};

#endif
