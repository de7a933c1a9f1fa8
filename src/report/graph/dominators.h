/* SPDX-License-Identifier: MIT */
/* Dominators of a graph: a node dominates another one if all paths from the root to that go
 * through it, so that the other one is out of reach without it. The nearest of a node's
 * dominators is its immediate one. */
#ifndef ETMERLIN_REPORT_GRAPH_DOMINATORS_H
#define ETMERLIN_REPORT_GRAPH_DOMINATORS_H

#include "base/interrupt.h"
#include "heap/node.h"

#include <stddef.h>

/* A graph: nodes from 0, the root, to which no edge leads, to count - 1. */
struct dominators_graph {
    size_t count;
    /* Where the edges of a node begin; 0: it has none. */
    slot_t (*first)(const void *context, node_t node);
    /* Where the next edge leads from *edge on, which moves on; NODE_NONE: there is no more. */
    node_t (*next)(const void *context, node_t node, slot_t *edge);
    const void *context;
    const struct interrupt *interrupt; /* NULL: it never stops early */
};

/* Nodes that the root reaches have numbers from 1, the root, on, each above that of its
 * immediate dominator. All arrays are owned: dominators_free. */
struct dominators {
    node_t *numbers;   /* by node; 0: it is not reached */
    node_t *nodes;     /* by number */
    node_t *immediate; /* by number: the number of its immediate dominator; 0 of the root */
    node_t *spare[2];  /* by number: for the caller to use, not set */
    size_t reached;    /* the largest number */
};

/* Finds the dominators of all nodes, in time O(m log n) of m edges and n nodes. Takes 6 nodes'
 * numbers of memory for a node, of which one is released at the end, and one an edge in
 * between; no recursion. STATUS_LIMIT: there are too many edges. STATUS_INTERRUPTED. */
enum status dominators_find(struct dominators *dominators, const struct dominators_graph *graph,
                            struct failure *why) MUST_CHECK;

/* To be called also after a failure; a zero-initialized one is allowed. */
void dominators_free(struct dominators *dominators);

#endif
