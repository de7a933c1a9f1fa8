/* SPDX-License-Identifier: MIT */
/* Numbers of objects: allocations get 1, 2, 3, ... in their order, then objects that are never
 * allocated, in the order in which the trace first names them. Every number means one object,
 * which is not true of ids, and that of an allocation is one more than that of its life
 * (life_facts.number). */
#ifndef ETMERLIN_MERLIN_NUMBERING_H
#define ETMERLIN_MERLIN_NUMBERING_H

#include "base/status.h"
#include "heap/objects.h"
#include "io/temporary/numbers.h"
#include "trace/record.h"

struct numbering;

/* Makes the numbering for another reading of the trace of `objects`, which must outlive *out.
 * Their ids may be those of the trace or numbers (objects_renumber). The caller owns *out
 * (numbering_free). */
enum status numbering_new(struct numbering **out, struct objects *objects,
                          struct failure *why) MUST_CHECK;

/* The same for windows: makes a numbering from the last mention and the number of each node,
 * which are in `lasts` and `numbers` (windows/readings.h). The numbering owns these from now
 * on; after a failure they have been released. The caller owns *out (numbering_free). */
enum status window_numbering_new(struct numbering **out, struct number_stack *lasts,
                                 struct number_stack *numbers, struct failure *why) MUST_CHECK;

/* Has the numbering keep the numbers of all ids. Otherwise it may forget those that no later
 * record names. To be called before the first record, if there are lines about references,
 * since those may name an object after all its records. */
void numbering_keep_all(struct numbering *numbering);

/* Replaces the object ids of *record with numbers. To be called once for each record of the
 * trace except deaths, in order. Ids in a line about references that mean no object become 0.
 */
enum status numbering_apply(struct numbering *numbering, struct record *record,
                            struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void numbering_free(struct numbering *numbering);

#endif
