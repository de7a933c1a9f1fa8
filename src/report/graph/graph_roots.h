/* SPDX-License-Identifier: MIT */
/* The last step of building a graph: which of the objects are roots, and what holds them. */
#ifndef ETMERLIN_REPORT_GRAPH_GRAPH_ROOTS_H
#define ETMERLIN_REPORT_GRAPH_GRAPH_ROOTS_H

#include "report/graph/heap_graph.h"

/* More flags of objects, while a graph is built. */
enum {
    GRAPH_IS_NAMED = GRAPH_MARKS, /* it is named after the moment */
    GRAPH_IS_LEFT_OUT = GRAPH_MARKS
                        << 1, /* it is allocated by the moment, but not in the heap then */
    GRAPH_IS_BORN_LATER = GRAPH_MARKS << 2, /* it is allocated after the moment */
    GRAPH_IS_REACHED = GRAPH_MARKS << 3,    /* from a root that the trace shows */
    GRAPH_IS_BORN = GRAPH_IS_ALLOCATED | GRAPH_IS_BORN_LATER /* it is allocated at some time */
};

/* An object that is named after the moment, and the frame that holds it. */
struct graph_named {
    node_t object;
    uint32_t frame; /* GRAPH_NONE: none */
};

/* Which threads name the objects, and when. */
struct graph_naming {
    /* By object: the first one to name it after the moment, or else the last before. */
    const uint32_t *threads;
    /* After the moment, in the order in which they are named first. */
    const struct graph_named *named;
    size_t count;
};

/* Appends a root. *capacity is the room of graph->roots. */
enum status graph_add_root(struct heap_graph *graph, size_t *capacity,
                           const struct graph_root *root, struct failure *why) MUST_CHECK;

/* Finds the roots, and which of the objects that are never allocated are present. Before,
 * graph->roots has what the frames of graph->threads hold, of which some may be abandoned. */
enum status graph_find_roots(struct heap_graph *graph, size_t *capacity,
                             const struct assumptions *assumptions,
                             const struct graph_naming *naming, struct failure *why) MUST_CHECK;

#endif
