/* SPDX-License-Identifier: MIT */
/* A graph while the trace is read: which objects get nodes. */
#ifndef ETMERLIN_REPORT_GRAPH_GRAPH_BUILD_H
#define ETMERLIN_REPORT_GRAPH_GRAPH_BUILD_H

#include "base/map.h"
#include "heap/frames_inline.h"
#include "report/graph/graph_roots.h"
#include "trace/record.h"

/* Where an object is at the moment, in two bits. */
enum graph_place {
    PLACE_TO_COME, /* it is allocated after the moment, or never */
    PLACE_GONE,    /* it is allocated by the moment, and not in the heap any more */
    PLACE_ALIVE,   /* it is alive */
    PLACE_DEAD     /* it has died, and is in the heap (graph_options.with_dead) */
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

/* While the trace is read. */
struct graph_build {
    struct graph_options options;
    uint64_t *places; /* by number of a life, PLACE_BITS each: enum graph_place */
    struct map nodes; /* number of an object -> its node */
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
    size_t root_capacity;
    struct map sites; /* id -> number + 1; 1: the site has no name */
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

#endif
