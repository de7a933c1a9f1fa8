/* SPDX-License-Identifier: MIT */
/* What holds the objects of a heap at a moment: the last step in building a graph. */
#ifndef ETMERLIN_REPORT_GRAPH_GRAPH_ROOTS_H
#define ETMERLIN_REPORT_GRAPH_GRAPH_ROOTS_H

#include "report/graph/heap_graph.h"

/* More flags of objects. */
enum {
    GRAPH_IS_NAMED = GRAPH_MARKS,           /* after the moment */
    GRAPH_IS_LEFT_OUT = GRAPH_MARKS << 1,   /* it is not in the heap at the moment */
    GRAPH_IS_BORN_LATER = GRAPH_MARKS << 2, /* it is allocated after the moment */
    GRAPH_IS_REACHED = GRAPH_MARKS << 3,    /* from a root */
    GRAPH_IS_BORN = GRAPH_IS_ALLOCATED | GRAPH_IS_BORN_LATER /* either: it is allocated */
};

/* An object that is named after the moment, and the frame that holds it. */
struct graph_named {
    node_t object;
    uint32_t frame; /* GRAPH_NONE: none */
};

/* Who names the objects. */
struct graph_naming {
    const uint32_t *threads; /* by object: which names it first after the moment, or last */
    const struct graph_named *named; /* after the moment, in the order of the first times */
    size_t count;
};

/* Appends a root; *capacity is that of graph->roots. */
enum status graph_add_root(struct heap_graph *graph, size_t *capacity,
                           const struct graph_root *root, struct failure *why) MUST_CHECK;

/* graph->roots has what the frames of graph->threads hold, of which some are abandoned: finds
 * the roots, and which of the objects that are never allocated are present. */
enum status graph_find_roots(struct heap_graph *graph, size_t *capacity,
                             const struct assumptions *assumptions,
                             const struct graph_naming *naming, struct failure *why) MUST_CHECK;

#endif
