/* SPDX-License-Identifier: MIT */
/* Recognises files that are often taken for Elephant Tracks traces (etmerlin-formats(5),
 * "Relatives"). */
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

/* What the lines so far show. Zero-initialize it. */
struct relative_evidence {
    bool is_own; /* there was a record that no relative has */
    unsigned lines[RELATIVES];
    uint64_t first_lines[RELATIVES];
};

/* Takes note of line number `number`, of `length` bytes, that is no record. */
void relative_look_at(struct relative_evidence *evidence, const char *line, size_t length,
                      uint64_t number);

/* STATUS_MEANING: the trace `name` is a relative, which *why names. */
enum status relative_refuse(const struct relative_evidence *evidence, const char *name,
                            struct failure *why) MUST_CHECK;

#endif
