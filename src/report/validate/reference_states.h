/* SPDX-License-Identifier: MIT */
/* What the lines about reference objects have said so far of each of these, for validation. */
#ifndef ETMERLIN_REPORT_VALIDATE_REFERENCE_STATES_H
#define ETMERLIN_REPORT_VALIDATE_REFERENCE_STATES_H

#include "base/map.h"
#include "base/status.h"
#include "heap/objects.h"
#include "trace/record.h"

/* Zero-initialize it; reference_states_free ends it. */
struct reference_states {
    struct map by_id;
};

enum reference_verdict {
    REFERENCE_FITS,
    REFERENCE_IS_UNKNOWN, /* no record has named the object *id */
    REFERENCE_IS_CLEARED  /* the same cause has cleared the reference of a K before */
};

/* Adds a line, an F or K; `objects` are those that records have named so far. Sets *verdict,
 * and *id to the object that it is about. */
enum status reference_states_add(struct reference_states *states, const struct objects *objects,
                                 const struct record *line, enum reference_verdict *verdict,
                                 uint64_t *id, struct failure *why) MUST_CHECK;

void reference_states_free(struct reference_states *states);

#endif
