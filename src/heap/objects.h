/* SPDX-License-Identifier: MIT */
/* The object table: which objects the trace names, each with a node of its own, and which of
 * them it allocates (etmerlin-deaths(7), --unallocated). What pass 1 does for each record,
 * finding and using objects and their slots, is in objects_inline.h. */
#ifndef ETMERLIN_HEAP_OBJECTS_H
#define ETMERLIN_HEAP_OBJECTS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* node_t: the number of an object in the object table, from 1 in the order in which the trace
 * first names the objects. slot_t: the number of a reference slot, from 1; 0: none.
 *
 * 32 bits keep both tables small and suffice for any trace of up to 4 * 10^9 objects. A longer
 * one ends with STATUS_LIMIT and needs a program that was built with --enable-wide-nodes. */
#ifdef ETMERLIN_WIDE_NODES
typedef uint64_t node_t;
typedef uint64_t slot_t;
#define NODE_MAX (UINT64_MAX - 1)
#else
typedef uint32_t node_t;
typedef uint32_t slot_t;
#define NODE_MAX UINT32_MAX
#endif

#define SLOT_MAX NODE_MAX

/* As a value: null. As a container: its slots are the static fields. */
#define NODE_NONE ((node_t)0)

/* What an allocation record means for its id. */
enum allocation {
    ALLOCATION_NEW,     /* an id that no record has named */
    ALLOCATION_ADOPTED, /* an id that has been named: it keeps its node */
    ALLOCATION_REPEATED /* an id that is allocated already: from now on it means a new node */
};

/* What an allocation means for an id that a record before has named or not (`is_named`), and,
 * if it has been named, that has been allocated or not (`is_allocated`). */
static inline enum allocation allocation_of(bool is_named, bool is_allocated)
{
    if (!is_named)
        return ALLOCATION_NEW;
    return is_allocated ? ALLOCATION_REPEATED : ALLOCATION_ADOPTED;
}

/* Whether an allocation of this kind begins a node. */
static inline bool allocation_begins_node(enum allocation how)
{
    return how != ALLOCATION_ADOPTED;
}

struct objects;

/* An empty table; the caller owns *out (objects_free). */
enum status objects_new(struct objects **out, struct failure *why) MUST_CHECK;

/* The node that object `id` means now; NODE_NONE: no record has named it. */
node_t objects_known(const struct objects *objects, uint64_t id);

/* Records that thread number `thread` (frames.h) allocates object `id`, which is not 0. Sets
 * *before to the node that the id has meant until now (NODE_NONE: none), *node to its node, and
 * *how to what the allocation means for the id. */
enum status objects_allocate(struct objects *objects, uint64_t id, uint32_t thread,
                             node_t *before, node_t *node, enum allocation *how,
                             struct failure *why) MUST_CHECK;

/* One more than the largest node. */
size_t objects_count(const struct objects *objects);

/* The number of objects that records have named: that of all nodes but NODE_NONE. */
size_t objects_named(const struct objects *objects);

/* The nodes that have been allocated, in the order of allocation. Sets *count to their number.
 */
const node_t *objects_allocations(const struct objects *objects, size_t *count);

bool objects_is_allocated(const struct objects *objects, node_t node);

/* The object id of `node`. */
uint64_t objects_id(const struct objects *objects, node_t node);

/* A number for each node: allocated nodes have 1, 2, 3, ... in the order of allocation, then
 * come the others, in their order. To be called when all nodes are there; objects_move forgets
 * the numbers. NULL: no memory. */
const node_t *objects_numbers(struct objects *objects);

/* Gives each node its number as id. The index of ids must have been released
 * (objects_drop_index). */
enum status objects_renumber(struct objects *objects, struct failure *why) MUST_CHECK;

/* The number of the thread that allocated `node`. */
uint32_t objects_thread(const struct objects *objects, node_t node);

/* The ticks of the last uses, by node. */
const uint64_t *objects_last_uses(const struct objects *objects);

/* Each node whose moved[node] is not 0 becomes node moved[node]; the others are released. These
 * numbers go up as nodes do, from 1 without gaps. An id means the last of the nodes that have
 * it. */
enum status objects_move(struct objects *objects, const node_t *moved,
                         struct failure *why) MUST_CHECK;

/* Releases most of the index from ids to nodes. No id may be looked up until objects_move,
 * which rebuilds it. */
void objects_suspend_index(struct objects *objects);

/* Releases the index from ids to nodes. No id may be looked up any more. */
void objects_drop_index(struct objects *objects);

/* Releases all objects, none of which may be used any more; objects_count stays the same. */
void objects_drop(struct objects *objects);

/* NULL is allowed. */
void objects_free(struct objects *objects);

#endif
