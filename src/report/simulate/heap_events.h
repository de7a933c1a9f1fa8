/* SPDX-License-Identifier: MIT */
/* What happens to a heap, in the order of the trace: allocations, stores of references, and
 * deaths. The engine lists allocations and stores; deaths are listed as lives come, in a
 * temporary file. All can then be gone through together as often as one likes. */
#ifndef ETMERLIN_REPORT_SIMULATE_HEAP_EVENTS_H
#define ETMERLIN_REPORT_SIMULATE_HEAP_EVENTS_H

#include "base/status.h"
#include "io/temporary/spool.h"
#include "merlin/lives/lives.h"

/* What an object is: allocated by the program, there before the trace (P, I), or made by the
 * virtual machine (V). */
enum heap_object_kind { HEAP_ALLOCATED, HEAP_PRIOR, HEAP_OF_VM };

/* Objects are called by their numbers (merlin/numbering.h). */
struct heap_birth {
    enum heap_object_kind kind;
    uint64_t number; /* 1, 2, 3, ... */
    uint64_t size;   /* bytes */
};

struct heap_death {
    enum heap_object_kind kind;
    uint64_t number;
    uint64_t size;
    uint64_t before; /* the number of the allocation before which it comes */
    bool is_early;   /* recorded, while stores may still name the object */
};

struct heap_store {
    uint64_t container; /* not 0 */
    uint64_t field;
    uint64_t value; /* 0: null */
};

/* Who goes through them. A death comes right before the first allocation after it but those of
 * prior objects, after all stores that stand before that. */
struct heap_visitor {
    enum status (*born)(void *context, const struct heap_birth *birth, struct failure *why);
    enum status (*died)(void *context, const struct heap_death *death, struct failure *why);
    enum status (*stored)(void *context, const struct heap_store *store,
                          struct failure *why); /* NULL: it does not look at them */
    void *context;
};

struct heap_events;

/* No deaths yet, in `temporary` (NULL: see spool_open). The allocations and stores are those of
 * `stores`, which must be finished and stay; NULL: allocations are to be appended, and there
 * are no stores. The caller owns *out (heap_events_close). */
enum status heap_events_open(struct heap_events **out, const struct stores *stores,
                             const struct temporary_folder *temporary,
                             struct failure *why) MUST_CHECK;

/* Appends the next allocation. */
enum status heap_events_add_birth(struct heap_events *events, const struct birth_facts *birth,
                                  struct failure *why) MUST_CHECK;

/* Appends the death of the next life, in the order of deaths; nothing of what survives. */
enum status heap_events_add_life(struct heap_events *events, const struct life_facts *life,
                                 struct failure *why) MUST_CHECK;

/* To be called when all has been appended, once. */
enum status heap_events_finish(struct heap_events *events, struct failure *why) MUST_CHECK;

/* Whether object `number`, which a store names, was there before the trace. */
bool heap_events_is_prior(const struct heap_events *events, uint64_t number);

/* Shows all events to `visitor`, up to the last allocation or store. */
enum status heap_events_visit(const struct heap_events *events,
                              const struct heap_visitor *visitor,
                              const struct interrupt *interrupt,
                              struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void heap_events_close(struct heap_events *events);

#endif
