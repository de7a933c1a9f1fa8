/* SPDX-License-Identifier: MIT */
/* The objects that a simulated heap may still have, and the references among them.
 *
 * Stores may name an object before it is allocated: tracers report an allocation when its
 * constructor has returned. What was there before the trace holds what it refers to from the
 * beginning, so it is live from when it is named first. */
#ifndef ETMERLIN_REPORT_SIMULATE_KEPT_OBJECTS_H
#define ETMERLIN_REPORT_SIMULATE_KEPT_OBJECTS_H

#include "base/id_map.h"
#include "heap/slots.h"
#include "report/simulate/heap_events.h"

/* KEPT_DEAD_EARLY: dead, but stores may still name it (heap_death.is_early). */
enum kept_state { KEPT_UNBORN, KEPT_LIVE, KEPT_DEAD, KEPT_DEAD_EARLY };

/* Where the parts of kept_object.facts are. */
enum { KEPT_KIND_SHIFT = 2, KEPT_MARK_SHIFT = 4, KEPT_NUMBER_SHIFT = 5 };

struct kept_object {
    uint64_t died_before; /* of what is dead: the number of the next allocation */
    uint64_t facts;       /* see kept_state, kept_kind, kept_number; and a mark of the caller */
    union {
        uint32_t size;  /* see kept_size */
        node_t holders; /* of what is unborn: the latest of its stores, see early_store */
    };
    slot_t first; /* where its slots begin; 0: it has none */
};

/* A store of an object that is not allocated yet. */
struct early_store {
    node_t container;
    node_t next; /* of the same value; 0: none */
};

struct kept_objects {
    bool counts_references; /* deaths are recorded: what is live may refer to what is dead */
    const struct heap_events *events;
    uint64_t born;             /* number of the latest object */
    struct kept_object *items; /* from 1 on */
    size_t count, capacity;    /* the item without a meaning included */
    uint32_t *live_references; /* of live objects, to each; NULL: they are not counted */
    size_t references_capacity;
    uint64_t *large_sizes; /* those that an object has no room for */
    size_t large_count, large_capacity;
    struct slots *slots;
    struct id_map nodes;       /* by number, of what stores may name */
    struct early_store *early; /* from 1 on */
    size_t early_count, early_capacity;
};

static inline enum kept_state kept_state(const struct kept_object *object)
{
    return (enum kept_state)(object->facts & 3);
}

static inline enum heap_object_kind kept_kind(const struct kept_object *object)
{
    return (enum heap_object_kind)(object->facts >> KEPT_KIND_SHIFT & 3);
}

static inline bool kept_is_dead(const struct kept_object *object)
{
    return kept_state(object) >= KEPT_DEAD;
}

/* Its number (heap_events.h). */
static inline uint64_t kept_number(const struct kept_object *object)
{
    return object->facts >> KEPT_NUMBER_SHIFT;
}

/* Marks an object for the caller; false: it was marked before. */
static inline bool kept_mark(struct kept_object *object)
{
    bool was_marked = object->facts >> KEPT_MARK_SHIFT & 1;
    object->facts |= UINT64_C(1) << KEPT_MARK_SHIFT;
    return !was_marked;
}

static inline void kept_unmark(struct kept_object *object)
{
    object->facts &= ~(UINT64_C(1) << KEPT_MARK_SHIFT);
}

/* The bytes of an object that is born. */
uint64_t kept_size(const struct kept_objects *objects, const struct kept_object *object);

/* The objects, slots or early stores that there may be before any are released, when `stayed`
 * were left after the last release; `window`: the fewest, 0: the default. */
size_t kept_objects_most(size_t stayed, uint64_t window);

/* Zero-initialize *objects, set its first two members, and call this; kept_objects_free ends
 * it, also after a failure. */
enum status kept_objects_init(struct kept_objects *objects, struct failure *why) MUST_CHECK;
void kept_objects_free(struct kept_objects *objects);

/* An object is born; *node becomes it. It may have slots already, and holders, which *holders
 * becomes the latest of (0: none). */
enum status kept_objects_allocate(struct kept_objects *objects, const struct heap_birth *birth,
                                  node_t *node, node_t *holders,
                                  struct failure *why) MUST_CHECK;

/* The object that dies; its slots stay as they are. NODE_NONE: it is not kept. */
node_t kept_objects_die(struct kept_objects *objects, const struct heap_death *death);

/* A store: *container and *value become its objects; NODE_NONE: what is not kept any more. */
enum status kept_objects_store(struct kept_objects *objects, const struct heap_store *store,
                               node_t *container, node_t *value,
                               struct failure *why) MUST_CHECK;

/* Releases the dead objects for which moved[node] is 0, and moves the others together:
 * moved[node], which is not 0 for what is not dead, becomes where each is. */
enum status kept_objects_move(struct kept_objects *objects, node_t *moved,
                              struct failure *why) MUST_CHECK;

#endif
