/* SPDX-License-Identifier: MIT */
/* Counts the ids of a trace for which its name lists have a name. */
#ifndef ETMERLIN_REPORT_VALIDATE_NAMING_H
#define ETMERLIN_REPORT_VALIDATE_NAMING_H

#include "base/set.h"
#include "trace/batch.h"
#include "trace/names.h"

/* The kinds of ids that are looked up. */
enum { NAMED_KINDS = 2 };

struct named_kind {
    uint64_t ids;     /* different ids in the trace */
    uint64_t unnamed; /* of these, without a name */
    uint64_t first;   /* the first unnamed id in the trace, if there is one */
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

/* The name of a kind in reports, such as "types". */
const char *naming_label(unsigned kind);

void naming_free(struct naming *naming);

#endif
