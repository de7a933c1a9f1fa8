/* SPDX-License-Identifier: MIT */
/* Objects under numbers of their own: allocations 1, 2, 3, ... in their order, then the objects
 * that are never allocated, in the order in which the trace first names them. Every number
 * means one object, which the ids of a trace need not. */
#ifndef ETMERLIN_MERLIN_NUMBERING_H
#define ETMERLIN_MERLIN_NUMBERING_H

#include "base/status.h"
#include "heap/objects.h"
#include "trace/record.h"

struct numbering;

/* Numbers `objects`, those of a trace that has been read to its end; they must outlive *out,
 * which the caller owns (numbering_free). */
enum status numbering_new(struct numbering **out, const struct objects *objects,
                          struct failure *why) MUST_CHECK;

/* The numbers by node; that of NODE_NONE is 0. They stay as long as the numbering. */
const node_t *numbering_numbers(const struct numbering *numbering);

/* Puts numbers in the place of the object ids of *record. To be called for all records of the
 * trace but deaths, once, in their order. */
enum status numbering_apply(struct numbering *numbering, struct record *record,
                            struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void numbering_free(struct numbering *numbering);

#endif
