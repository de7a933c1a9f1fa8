/* SPDX-License-Identifier: MIT */
/* Merlin's propagation: from last uses to death times (etmerlin-deaths(7);
 * Hertz, Blackburn, Moss, McKinley, Stefanovic, "Generating Object Lifetime Traces with
 * Merlin", TOPLAS 28(3), 2006). */
#ifndef ETMERLIN_MERLIN_PROPAGATION_H
#define ETMERLIN_MERLIN_PROPAGATION_H

#include "base/status.h"
#include "heap/heap.h"

/* How an object is treated that the trace names but never allocates. */
enum unallocated {
    UNALLOCATED_LAST_USE, /* like any other object */
    UNALLOCATED_IMMORTAL  /* as a root: what it reaches never dies */
};

/* The time of death of an object that a static field or an open frame reaches. */
#define NEVER UINT64_MAX

/* Called now and then with the progress of the propagation: `done` of `of` objects have been
 * reached. */
struct propagation_progress {
    void (*see)(void *context, uint64_t done, uint64_t of); /* NULL: nothing is called */
    void *context;
};

/* What is known about the records that follow those that have been read. */
struct named_later {
    const uint64_t *last_mentions; /* by node: the number of the last record that names it */
    uint64_t record;               /* the number of the last record that has been read */
};

/* Sets *deaths to an array, by node, of the ticks at which objects are last in use, themselves
 * or through an object that reaches them; NEVER: an object that a root reaches. Objects that
 * are named later, and what these reach, never die, either; `later` is NULL at the end of a
 * trace. The caller owns the array (free). Takes time linear in nodes and slots.
 * STATUS_INTERRUPTED: `interrupt`, which may be NULL, asks to stop. `progress` may be NULL,
 * too.
 */
enum status propagate(const struct heap *heap, enum unallocated unallocated,
                      const struct named_later *later, const struct interrupt *interrupt,
                      const struct propagation_progress *progress, uint64_t **deaths,
                      struct failure *why) MUST_CHECK;

#endif
