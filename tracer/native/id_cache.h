/* SPDX-License-Identifier: MIT */
/* The ids that a thread remembers, by address. To ask the virtual machine for a tag takes a
 * lock and a search, but most objects that a probe names were named by the same thread a moment
 * ago.
 *
 * An address stands for an object until a collection moves or frees it. Collectors that do this
 * only while the program is stopped report when they begin and end, and between two collections
 * an address keeps its object. What may have been read during a collection is not used. With
 * collectors that move objects while the program runs, the cache stays off. */
#ifndef ETTRACE_ID_CACHE_H
#define ETTRACE_ID_CACHE_H

#include <jvmti.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { ID_CACHE_SLOTS = 1 << 12 };

struct id_cache {
    uint64_t epoch; /* the epoch to which the slots belong */
    struct id_slot {
        uintptr_t address;
        uint64_t id;
    } slots[ID_CACHE_SLOTS];
};

/* Counts begins and ends of collections: odd during one. UINT64_MAX: the cache is off. */
extern _Atomic uint64_t id_cache_epoch;

/* The address of an object, and the epoch in which it is valid. */
struct id_place {
    uintptr_t address;
    uint64_t epoch;
};

/* Sets *place to that of the object of a handle. False: it is unknown, since a collection runs,
 * or the handle is not a plain one. */
static inline bool id_place_of(struct id_place *place, jobject object)
{
    uint64_t before = atomic_load_explicit(&id_cache_epoch, memory_order_acquire);
    if ((before & 1) || ((uintptr_t)object & 7))
        return false;
    place->address = *(const volatile uintptr_t *)(const void *)object;
    place->epoch = before;
    atomic_thread_fence(memory_order_acquire);
    return atomic_load_explicit(&id_cache_epoch, memory_order_relaxed) == before;
}

static inline struct id_slot *id_cache_slot(struct id_cache *cache, uintptr_t address)
{
    return &cache->slots[(address >> 3) * UINT64_C(0x9e3779b97f4a7c15) >> 52];
}

/* The id of the object at the place; 0: it is not remembered. */
static inline uint64_t id_cache_find(struct id_cache *cache, const struct id_place *place)
{
    if (cache->epoch != place->epoch) {
        memset(cache->slots, 0, sizeof cache->slots);
        cache->epoch = place->epoch;
        return 0;
    }
    const struct id_slot *slot = id_cache_slot(cache, place->address);
    return slot->address == place->address ? slot->id : 0;
}

/* Remembers the id of the object whose place was `place` before. */
static inline void id_cache_add(struct id_cache *cache, const struct id_place *place,
                                uint64_t id)
{
    if (cache->epoch == place->epoch &&
        atomic_load_explicit(&id_cache_epoch, memory_order_acquire) == place->epoch)
        *id_cache_slot(cache, place->address) = (struct id_slot){place->address, id};
}

/* Turns the cache on, if the collector of this virtual machine allows it (hotspot.c). */
void id_cache_start(void);

/* A collection begins or ends. */
void id_cache_turn(void);

#endif
