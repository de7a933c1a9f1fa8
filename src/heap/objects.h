/* SPDX-License-Identifier: MIT */
/* The object table: which objects the trace names, and which of them it allocates
 * (etmerlin-deaths(7), --unallocated). What pass 1 does for each record, finding and using
 * objects and their slots, is in objects_inline.h. */
#ifndef ETMERLIN_HEAP_OBJECTS_H
#define ETMERLIN_HEAP_OBJECTS_H

#include "base/status.h"
#include "heap/node.h"

#include <stdbool.h>
#include <stddef.h>

/* What an allocation record means for its id. */
enum allocation {
    ALLOCATION_NEW,     /* an id that nothing had named */
    ALLOCATION_ADOPTED, /* an id that had been named: it keeps its node */
    ALLOCATION_REPEATED /* an id that is allocated already: from here on it means a new node */
};

/* What an allocation means for an id that some record has named before (`is_named`) or none
 * has, and, if one has, that is allocated (`is_allocated`) or not. */
static inline enum allocation allocation_of(bool is_named, bool is_allocated)
{
    if (!is_named)
        return ALLOCATION_NEW;
    return is_allocated ? ALLOCATION_REPEATED : ALLOCATION_ADOPTED;
}

/* Whether such an allocation begins a node. */
static inline bool allocation_begins_node(enum allocation how)
{
    return how != ALLOCATION_ADOPTED;
}

struct objects;

/* An empty table; the caller owns *out (objects_free). */
enum status objects_new(struct objects **out, struct failure *why) MUST_CHECK;

/* The node that object `id` means now; NODE_NONE: nothing has named it. */
node_t objects_known(const struct objects *objects, uint64_t id);

/* Object `id` (not 0) is allocated by thread number `thread` (frames.h). */
enum status objects_allocate(struct objects *objects, uint64_t id, uint32_t thread,
                             node_t *node, enum allocation *how,
                             struct failure *why) MUST_CHECK;

/* One more than the largest node. */
size_t objects_count(const struct objects *objects);

/* The nodes that have been allocated, in the order of their allocations; *count of them. */
const node_t *objects_allocations(const struct objects *objects, size_t *count);

bool objects_is_allocated(const struct objects *objects, node_t node);

/* The object id of `node`. */
uint64_t objects_id(const struct objects *objects, node_t node);

/* Gives each node an id of its own: those that are allocated 1, 2, 3, ... in the order of their
 * allocations, then the others, in theirs. The index of ids is gone (objects_drop_index). */
void objects_renumber(struct objects *objects);

/* The thread number that allocated `node`. */
uint32_t objects_thread(const struct objects *objects, node_t node);

/* Last uses in ticks, by node. */
const uint64_t *objects_last_uses(const struct objects *objects);

/* Each node with a number in `moved`, which go up as nodes do from 1 on, becomes node
 * moved[node]; the others are released. An id means the last of the nodes that have it. */
enum status objects_move(struct objects *objects, const node_t *moved,
                         struct failure *why) MUST_CHECK;

/* Releases most of the index from ids to nodes: no id is looked up until objects_move, which
 * makes it anew. */
void objects_suspend_index(struct objects *objects);

/* Releases the index from ids to nodes, when no id will be looked up any more. */
void objects_drop_index(struct objects *objects);

/* Releases all objects when none will be looked at any more; objects_count stays. */
void objects_drop(struct objects *objects);

/* NULL is allowed. */
void objects_free(struct objects *objects);

#endif
