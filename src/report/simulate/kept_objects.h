/* SPDX-License-Identifier: MIT */
/* The objects that a simulated heap may still have, and the references among them.
 *
 * An id means the latest object that was allocated under it, for as long as that lives. An id
 * that a store names before means an object that is not allocated yet: tracers report an
 * allocation when its constructor has returned. */
#ifndef ETMERLIN_REPORT_SIMULATE_KEPT_OBJECTS_H
#define ETMERLIN_REPORT_SIMULATE_KEPT_OBJECTS_H

#include "base/id_map.h"
#include "heap/slots.h"
#include "report/simulate/heap_events.h"

enum kept_state { KEPT_UNBORN, KEPT_LIVE, KEPT_DEAD };

struct kept_object {
    uint64_t id;
    uint64_t number; /* as in its birth */
    uint64_t size;
    uint64_t died_before; /* of what is dead: so many allocations were made before */
    uint64_t scan;        /* of the latest search that came by */
    slot_t first;         /* where its slots begin; 0: it has none */
    node_t holders; /* of what is unborn: the latest of its stores, see struct early_store */
    uint32_t live_references; /* of live objects, to it; kept of recorded deaths */
    uint8_t kind;             /* enum heap_object_kind */
    uint8_t state;            /* enum kept_state */
};

/* A store of an object that is not allocated yet. */
struct early_store {
    node_t container;
    node_t next; /* of the same value; 0: none */
};

/* A prior object whose id a later one has, too. */
struct hidden_prior {
    uint64_t key;
    node_t node;
};

struct kept_objects {
    bool counts_references;    /* deaths are recorded: what is live may refer to what is dead */
    bool are_renumbered;       /* deaths name objects by the order of their births */
    struct kept_object *items; /* from 1 on */
    size_t count, capacity;    /* the item without a meaning included */
    struct slots *slots;
    struct id_map ids;     /* id -> what it means; nothing dead */
    struct id_map numbers; /* 1 + number -> object that is no prior one, and lives */
    struct id_map priors;  /* what deaths call them -> prior object that lives */
    struct hidden_prior *hidden;
    size_t hidden_count, hidden_capacity;
    struct early_store *early; /* from 1 on */
    size_t early_count, early_capacity;
};

/* Zero-initialize *objects, set its flags and call this; kept_objects_free ends it, also after
 * a failure. */
enum status kept_objects_init(struct kept_objects *objects, struct failure *why) MUST_CHECK;
void kept_objects_free(struct kept_objects *objects);

/* An object is born; *node becomes it. It may have slots already, and holders. */
enum status kept_objects_bear(struct kept_objects *objects, const struct heap_birth *birth,
                              node_t *node, struct failure *why) MUST_CHECK;

/* The object that dies; its slots stay as they are. NODE_NONE: it is not known. */
node_t kept_objects_kill(struct kept_objects *objects, const struct heap_death *death);

/* A store: *container and *value become its objects. */
enum status kept_objects_store(struct kept_objects *objects, const struct heap_store *store,
                               node_t *container, node_t *value,
                               struct failure *why) MUST_CHECK;

/* Releases the dead objects for which moved[node] is 0, and moves the others together:
 * moved[node], which is not 0 for what lives or is not born, becomes where each is. */
enum status kept_objects_move(struct kept_objects *objects, node_t *moved,
                              struct failure *why) MUST_CHECK;

#endif
