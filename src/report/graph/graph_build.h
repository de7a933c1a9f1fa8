/* SPDX-License-Identifier: MIT */
/* A graph while the trace is read: which objects ids mean, and which of these get nodes. */
#ifndef ETMERLIN_REPORT_GRAPH_GRAPH_BUILD_H
#define ETMERLIN_REPORT_GRAPH_GRAPH_BUILD_H

#include "base/id_map.h"
#include "base/map.h"
#include "heap/frames_inline.h"
#include "report/graph/graph_roots.h"
#include "report/node_index.h"
#include "trace/record.h"

/* What is known of an allocation before the trace is read, in two bits. */
enum { BIT_PRESENT = 1, BIT_DEAD = 2, BITS = 2, BITS_A_WORD = 64 / BITS };

/* While the trace is read. */
struct graph_build {
    struct graph_options options;
    uint64_t *bits;          /* by allocation, BITS each */
    struct map priors;       /* line of a prior object -> its bits */
    uint64_t priors_left;    /* prior objects with bits whose records are still to come */
    struct node_index nodes; /* which node an id means */
    /* Ids of objects that are not in the heap at the moment -> lines of their allocations. */
    struct id_map elsewhere;
    size_t capacity;     /* how many objects there is room for */
    uint64_t *trace_ids; /* by object */
    /* By object: the thread that named it last, or first after the moment. */
    uint32_t *threads;
    struct frames *frames;
    struct latest_thread thread;
    struct life_cursor *deaths; /* NULL: ids of the dead are kept */
    struct life_facts death;    /* the next death */
    uint64_t first_line;
    uint64_t records, ticks, births;
    uint64_t allocations; /* so far, prior objects included */
    bool is_past;         /* the moment has passed */
    size_t late;          /* objects from this one on have been added since */
    /* The objects that are named after the moment, in the order in which they are named first,
     * and the frames that hold them. */
    struct graph_named *named;
    size_t named_count, named_capacity;
    size_t root_capacity;
    struct map sites; /* id -> number + 1; 1: the site has no name */
    size_t site_capacity;
};

/* Whether objects get numbers as ids, instead of those of the trace. */
bool graph_has_numbers(const struct graph_build *build);

/* The id of a node in the trace (struct node_index); `objects` is the build. */
uint64_t graph_trace_id(const void *objects, node_t node);

/* Adds an object, of which nothing but its id is known. */
enum status graph_add_object(struct heap_graph *graph, uint64_t id, node_t *node,
                             struct failure *why) MUST_CHECK;

/* Sets *number to the number of a shape. */
enum status graph_number_shape(struct heap_graph *graph, const struct graph_shape *shape,
                               uint32_t *number, struct failure *why) MUST_CHECK;

/* Before the first record: goes to the first death, if the ids of the dead are forgotten. */
enum status graph_open_deaths(struct graph_build *build, struct failure *why) MUST_CHECK;

/* Forgets the ids of what has died by now: they mean no object until they are allocated again.
 */
enum status graph_forget_dead(struct graph_build *build, struct failure *why) MUST_CHECK;

/* A record names object `id`; 0: null. Sets *node to its node; NODE_NONE: it has none. */
enum status graph_name(struct heap_graph *graph, uint64_t id, node_t *node,
                       struct failure *why) MUST_CHECK;

/* As graph_name; with HELD_BY_FRAME, the innermost frame holds the object from now on. */
enum status graph_name_and_hold(struct heap_graph *graph, uint64_t id, node_t *node,
                                struct failure *why) MUST_CHECK;

/* The record of an allocation. */
enum status graph_take_allocation(struct heap_graph *graph, const struct record *record,
                                  struct failure *why) MUST_CHECK;

#endif
