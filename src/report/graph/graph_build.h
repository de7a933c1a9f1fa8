/* SPDX-License-Identifier: MIT */
/* A graph while it is built: the trace is read, objects get nodes, and roots are found. */
#ifndef ETMERLIN_REPORT_GRAPH_GRAPH_BUILD_H
#define ETMERLIN_REPORT_GRAPH_GRAPH_BUILD_H

#include "base/map.h"
#include "heap/frames_inline.h"
#include "report/graph/heap_graph.h"
#include "trace/record.h"

/* Where an object is at the moment, in two bits. */
enum graph_place {
    PLACE_TO_COME, /* it is allocated after the moment, or never */
    PLACE_GONE,    /* it is allocated by the moment, and not in the heap any more */
    PLACE_ALIVE,   /* it is alive */
    PLACE_DEAD     /* it has died, and is in the heap (report_settings.with_dead) */
};

enum { PLACE_BITS = 2, PLACE_MASK = 3, PLACES_A_WORD = 64 / PLACE_BITS };

/* An object that a record names. */
struct graph_object_name {
    uint64_t number; /* by the numbering; 0: null */
    uint64_t id;     /* in the graph */
};

/* An object and its node, for those in use at the moment. */
struct graph_known {
    uint64_t number; /* 0: none */
    node_t node;
};

enum { GRAPH_KNOWN_BITS = 12 };

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

/* What is needed until the graph is finished. */
struct graph_build {
    const struct report_material *material;
    const struct heap_moment *moment;
    bool ticks_by_time;             /* ticks are times (struct pass) */
    bool keeps_ids;                 /* graph->ids is kept */
    const struct names *site_names; /* sites that have names here are kept; NULL: none */
    uint64_t lives;                 /* how many there are */
    struct numbering *numbering;    /* while the trace is read */
    uint64_t *places;               /* by number of a life, PLACE_BITS each: enum graph_place */
    struct map nodes;               /* number of an object -> its node */
    struct graph_known known[1 << GRAPH_KNOWN_BITS]; /* a direct-mapped cache of it */
    size_t capacity;                                 /* how many objects there is room for */
    uint8_t names[RECORD_KINDS]; /* what each kind of record names (record_names_by_kind), */
    struct graph_object_name first, second; /* and what the present one does */
    /* By object: the thread that named it last, or first after the moment. */
    uint32_t *threads;
    struct frames *frames;
    struct latest_thread thread;
    uint64_t records, ticks, births; /* so far */
    uint64_t allocations;            /* as births, prior objects included */
    bool is_past;                    /* the moment has passed */
    /* The objects that are named after the moment, in the order in which they are named first,
     * and the frames that hold them. */
    struct graph_named *named;
    size_t named_count, named_capacity;
    size_t root_capacity; /* the room of graph->roots */
    struct map sites;     /* id -> number + 1; 1: the site has no name */
    size_t site_capacity;
};

/* Adds an object, of which nothing but its id is known. */
enum status graph_add_object(struct heap_graph *graph, uint64_t id, node_t *node,
                             struct failure *why) MUST_CHECK;

/* Sets *number to the number of a shape. */
enum status graph_number_shape(struct heap_graph *graph, const struct graph_shape *shape,
                               uint32_t *number, struct failure *why) MUST_CHECK;

/* The present record names an object, or null. Sets *node to its node; NODE_NONE: it has none.
 */
enum status graph_name(struct heap_graph *graph, struct graph_object_name name, node_t *node,
                       struct failure *why) MUST_CHECK;

/* As graph_name; with HELD_BY_FRAME, the innermost frame holds the object from now on. */
enum status graph_name_and_hold(struct heap_graph *graph, struct graph_object_name name,
                                node_t *node, struct failure *why) MUST_CHECK;

/* The present record is `record`, an allocation. */
enum status graph_take_allocation(struct heap_graph *graph, const struct record *record,
                                  struct failure *why) MUST_CHECK;

/* Appends a root. */
enum status graph_add_root(struct heap_graph *graph, const struct graph_root *root,
                           struct failure *why) MUST_CHECK;

/* The last step: finds which objects are roots, what holds them, and which of those that are
 * never allocated are present. Before, graph->roots has what the frames of graph->threads hold,
 * of which some may be abandoned. */
enum status graph_find_roots(struct heap_graph *graph, struct failure *why) MUST_CHECK;

#endif
