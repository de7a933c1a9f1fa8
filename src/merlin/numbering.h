/* SPDX-License-Identifier: MIT */
/* Objects under numbers of their own: allocations 1, 2, 3, ... in their order, then the objects
 * that are never allocated, in the order in which the trace first names them. Every number
 * means one object, which the ids of a trace need not. */
#ifndef ETMERLIN_MERLIN_NUMBERING_H
#define ETMERLIN_MERLIN_NUMBERING_H

#include "base/status.h"
#include "heap/objects.h"
#include "trace/record.h"

/* A way to do so. */
struct numbering;
struct numbering_class {
    enum status (*apply)(struct numbering *numbering, struct record *record,
                         struct failure *why);
    void (*free)(struct numbering *numbering);
};

struct numbering {
    const struct numbering_class *methods;
};

/* For another reading of the trace of `objects`, which have their numbers (objects_renumber)
 * and must outlive *out, which the caller owns (numbering_free). */
enum status numbering_new(struct numbering **out, const struct objects *objects,
                          struct failure *why) MUST_CHECK;

/* Puts numbers in the place of the object ids of *record. To be called for all records of the
 * trace but deaths, once, in their order. */
enum status numbering_apply(struct numbering *numbering, struct record *record,
                            struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void numbering_free(struct numbering *numbering);

#endif
