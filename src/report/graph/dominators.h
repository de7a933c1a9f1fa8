/* SPDX-License-Identifier: MIT */
/* Dominators of a graph: a node dominates another one if all paths from the root to the other
 * go through it, so that the root would not reach the other without it. The nearest dominator
 * of a node is its immediate one. */
#ifndef ETMERLIN_REPORT_GRAPH_DOMINATORS_H
#define ETMERLIN_REPORT_GRAPH_DOMINATORS_H

#include "base/status.h"
#include "heap/objects.h"

#include <stddef.h>

/* A graph: nodes from 0, the root, to which no edge leads, to count - 1. */
struct dominators_graph {
    size_t count;
    /* The first edge of a node; 0: it has none. */
    slot_t (*first)(const void *context, node_t node);
    /* Returns the target of the next edge from *edge on, and moves *edge past it, to 0 after
     * the last; NODE_NONE: there are no more. */
    node_t (*next)(const void *context, node_t node, slot_t *edge);
    const void *context;
    const struct interrupt *interrupt; /* NULL: it never stops early */
};

/* The nodes that the root reaches have numbers from 1 on, which is the root's. Each is greater
 * than that of its immediate dominator. All arrays are owned (dominators_free). */
struct dominators {
    node_t *numbers; /* by node; 0: it is not reached */
    node_t *nodes;   /* by number */
    /* By number: the number of its immediate dominator; that of the root is 0. */
    node_t *immediate;
    node_t *spare[2]; /* by number: memory for the caller to use, not set */
    size_t reached;   /* the largest number */
};

/* Finds the dominators of all nodes, in time O(m log n) for m edges and n nodes, without
 * recursion. Memory: 6 numbers a node, one of which is released at the end, and one an edge
 * until then. STATUS_LIMIT: there are more than NODE_MAX edges. STATUS_INTERRUPTED. */
enum status dominators_find(struct dominators *dominators, const struct dominators_graph *graph,
                            struct failure *why) MUST_CHECK;

/* To be called after a failure, too. *dominators may be zero. */
void dominators_free(struct dominators *dominators);

#endif
