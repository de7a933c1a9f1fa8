/* SPDX-License-Identifier: MIT */
/* Files that are often taken for Elephant Tracks traces, and what they are
 * (etmerlin-formats(5), "Relatives"). */
#ifndef ETMERLIN_FORMATS_ET_RELATIVES_H
#define ETMERLIN_FORMATS_ET_RELATIVES_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum relative {
    RELATIVE_FIRST_GENERATION, /* of Elephant Tracks */
    RELATIVE_FIRST_NAMES,      /* its names file */
    RELATIVE_SIMULATOR,        /* TraceFileSim of GarCoSim */
    RELATIVE_NAME_LIST,        /* of a later tracer */
    RELATIVES
};

/* What the lines so far say. Zero-initialize it. */
struct relative_evidence {
    bool is_own; /* a record came that no relative has */
    unsigned lines[RELATIVES];
    uint64_t first_lines[RELATIVES];
};

/* Takes note of a line, of `length` bytes, that is no record. */
void relative_look_at(struct relative_evidence *evidence, const char *line, size_t length,
                      uint64_t number);

/* Records in *why (STATUS_MEANING) which relative the trace `name` is; STATUS_OK: none. */
enum status relative_refuse(const struct relative_evidence *evidence, const char *name,
                            struct failure *why) MUST_CHECK;

#endif
