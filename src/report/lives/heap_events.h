/* SPDX-License-Identifier: MIT */
/* What happens to a heap, in the order of the trace: allocations, stores of references, and
 * deaths. Allocations and stores are listed while the trace is read, deaths as its lives come,
 * in temporary files, and can then be gone through together as often as one likes. */
#ifndef ETMERLIN_REPORT_LIVES_HEAP_EVENTS_H
#define ETMERLIN_REPORT_LIVES_HEAP_EVENTS_H

#include "base/status.h"
#include "io/temporary/spool.h"
#include "merlin/lives/lives.h"
#include "trace/batch.h"

/* What an object is: allocated by the program, there before the trace (P, I), or made by the
 * virtual machine (V). */
enum heap_object_kind { HEAP_ALLOCATED, HEAP_PRIOR, HEAP_OF_VM };

/* That of the object that a record of this kind allocates. */
enum heap_object_kind heap_kind_of(unsigned kind);

struct heap_birth {
    enum heap_object_kind kind;
    uint64_t id;
    uint64_t number; /* of the allocation, from 0; of a prior object: how many come before */
    uint64_t line;   /* of a prior object: of its record */
    uint64_t size;   /* bytes */
};

struct heap_death {
    enum heap_object_kind kind;
    uint64_t before; /* so many allocations were made before it */
    uint64_t number; /* of the object, as in its birth */
    uint64_t line;   /* as in its birth; ids are not unique */
    uint64_t size;
};

struct heap_store {
    uint64_t container; /* not 0 */
    uint64_t field;
    uint64_t value; /* 0: null */
};

/* Who goes through them. Deaths before allocation number n come right before it, after all
 * stores that stand before it. */
struct heap_visitor {
    enum status (*born)(void *context, const struct heap_birth *birth, struct failure *why);
    enum status (*died)(void *context, const struct heap_death *death, struct failure *why);
    enum status (*stored)(void *context, const struct heap_store *store,
                          struct failure *why); /* NULL: it does not look at them */
    void *context;
};

struct heap_events;

/* No events yet, in `temporary` (NULL: see spool_open); if `has_stores` is false, stores are
 * left out. The caller owns *out (heap_events_close). */
enum status heap_events_open(struct heap_events **out, bool has_stores,
                             const struct temporary_folder *temporary,
                             struct failure *why) MUST_CHECK;

/* Appends an allocation. Its number is that of the next one, whatever it says. */
enum status heap_events_add_birth(struct heap_events *events, const struct heap_birth *birth,
                                  struct failure *why) MUST_CHECK;

/* Appends the allocations and stores of the next records of the trace. */
enum status heap_events_add(struct heap_events *events, const struct batch *batch,
                            struct failure *why) MUST_CHECK;

/* Appends the death of the next life, in the order of deaths; nothing of what survives. */
enum status heap_events_add_life(struct heap_events *events, const struct life_facts *life,
                                 struct failure *why) MUST_CHECK;

/* To be called when all has been appended, once. */
enum status heap_events_finish(struct heap_events *events, struct failure *why) MUST_CHECK;

/* Shows all events to `visitor`, up to the last allocation. */
enum status heap_events_visit(const struct heap_events *events,
                              const struct heap_visitor *visitor,
                              const struct interrupt *interrupt,
                              struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void heap_events_close(struct heap_events *events);

#endif
