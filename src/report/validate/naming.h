/* SPDX-License-Identifier: MIT */
/* How many of the ids in a trace its name lists have a name for. */
#ifndef ETMERLIN_REPORT_VALIDATE_NAMING_H
#define ETMERLIN_REPORT_VALIDATE_NAMING_H

#include "base/set.h"
#include "trace/batch.h"
#include "trace/names.h"

/* What ids number that are looked up. */
enum { NAMED_KINDS = 2 };

struct named_kind {
    uint64_t ids;     /* different ones in the trace */
    uint64_t unnamed; /* of these */
    uint64_t first;   /* of the unnamed in the trace, if there are any */
    struct set seen;
};

/* Zero-initialize it and set `names`; naming_free ends it. */
struct naming {
    const struct names *names; /* NULL: nothing is looked up */
    struct named_kind kinds[NAMED_KINDS];
};

/* Looks up the types and methods in the records of `batch`. */
enum status naming_add(struct naming *naming, const struct batch *batch,
                       struct failure *why) MUST_CHECK;

/* What reports call a kind: "types". */
const char *naming_label(unsigned kind);

void naming_free(struct naming *naming);

#endif
