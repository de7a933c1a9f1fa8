/* SPDX-License-Identifier: MIT */
/* Simulated heaps. Those with a nursery have it in common, whatever their sizes: when minor
 * collections happen depends on the size of the nursery alone, neither on that of the heap nor
 * on the tenure. So how many of them an object has survived follows from when it was allocated,
 * and what is live and young is the same in all heaps. */
#ifndef ETMERLIN_REPORT_SIMULATE_SIMULATED_H
#define ETMERLIN_REPORT_SIMULATE_SIMULATED_H

#include "report/figures.h"
#include "report/simulate/heap_events.h"
#include "report/simulate/plan.h"

/* A collector with a heap and perhaps a nursery of so many bytes, what is in it now, and what
 * its collections have cost. */
struct simulated {
    enum collector collector;
    uint64_t heap;
    uint64_t nursery; /* 0: it has none */
    unsigned tenure;  /* of a generational one */

    /* What its collections have come to. */
    bool has_ended;     /* an allocation did not fit */
    uint64_t allocated; /* bytes, until then */
    uint64_t minor, major;
    wide_sum copied, promoted, nepotism, marked; /* bytes */
    uint64_t largest; /* bytes that one collection copied, promoted or marked */
    uint64_t stores, remembered_stores;

    /* What is in it. */
    wide_sum used;      /* bytes, live or not; of a generational one: in the old space */
    uint64_t survivors; /* bytes that have survived and are young */
    uint64_t major_at;  /* 1 + the number of the allocation at the latest major one; 0: none */
    uint64_t dead_promoted, dead_staying; /* bytes that nepotism keeps at this minor one */
};

/* Makes *smallest, the heap that a collector needs, at least as large as `bytes`, as far as 64
 * bits allow. */
void simulated_need(uint64_t *smallest, wide_sum bytes);

/* COLLECTOR_WHOLE or _SEMISPACE: the program asks for `size` bytes; `live` are live. */
void simulated_allocate(struct simulated *heap, uint64_t size, uint64_t live);

/* The age of what is not, or no longer, young for any tenure that there is. */
enum { AGE_OLD = TENURE_MOST + 1 };

struct nursery {
    uint64_t size;
    unsigned longest; /* the largest tenure that is looked at */
    uint64_t eden;    /* bytes allocated since the latest minor collection */
    /* The number of the allocation at each of the latest minor collections, latest first: what
     * was allocated from bounds[a] on, and before those before it, is of age a. */
    uint64_t bounds[AGE_OLD];
    uint64_t live[AGE_OLD]; /* bytes of live young objects, by age */
};

/* How many minor collections an object has survived; AGE_OLD: it is old, since it is larger
 * than the nursery, was not allocated by the program, or has survived more than `longest`. */
static inline unsigned nursery_age(const struct nursery *nursery, enum heap_object_kind kind,
                                   uint64_t number, uint64_t size)
{
    unsigned age = 0;
    if (kind != HEAP_ALLOCATED || size > nursery->size)
        return AGE_OLD;
    while (age <= nursery->longest && number < nursery->bounds[age])
        age++;
    return age <= nursery->longest ? age : AGE_OLD;
}

/* Whether `size` bytes, at most those of the nursery, take a minor collection first. */
static inline bool nursery_is_full(const struct nursery *nursery, uint64_t size)
{
    return size > nursery->size - nursery->eden;
}

/* A minor collection has been made before allocation number `number`: all grow older. */
void nursery_empty(struct nursery *nursery, uint64_t number);

/* `size` bytes, at most those of the nursery, are allocated in it. */
void nursery_add(struct nursery *nursery, uint64_t size);

/* An object dies. */
void nursery_remove(struct nursery *nursery, const struct heap_death *death);

/* Bytes of live young objects from age `first` on, but younger than `end`. */
uint64_t nursery_live(const struct nursery *nursery, unsigned first, unsigned end);

/* Bytes that are live at a moment, in parts. */
struct live_parts {
    uint64_t all;
    uint64_t promoted; /* young ones that this minor collection promotes */
    uint64_t staying;  /* bytes that a minor collection leaves young */
    uint64_t old;      /* those that are old already */
};

/* A minor collection, before allocation number `number`. */
void simulated_collect_minor(struct simulated *heap, const struct live_parts *live,
                             uint64_t number);

/* The program asks for `size` bytes, more than the nursery has, before allocation
 * number `number`; live->staying are the bytes of young objects that are live and have survived
 * a collection. */
void simulated_allocate_old(struct simulated *heap, uint64_t size,
                            const struct live_parts *live, uint64_t number);

#endif
