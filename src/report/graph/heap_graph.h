/* SPDX-License-Identifier: MIT */
/* The heap at a moment of the run: the objects that, by their deaths, are alive then, the
 * references in their fields, and the roots that hold them.
 *
 * Roots are the static fields; what frames that are open then hold (etmerlin-deaths(7)); with
 * UNALLOCATED_IMMORTAL, the objects that the trace never allocates; and, since a trace does not
 * show what local variables hold, objects that none of these reaches but that the program names
 * later. If several of these refer to each other in a cycle, and nothing else refers to them,
 * the one that is named first is the root. It is held by the innermost frame that is open at
 * the moment and still open when it is named. An object that is not named again, and dies at
 * the next boundary, is held by the innermost frame of the thread that named it last.
 *
 * There may be millions of objects, so what is known about them is in arrays of small numbers.
 * */
#ifndef ETMERLIN_REPORT_GRAPH_HEAP_GRAPH_H
#define ETMERLIN_REPORT_GRAPH_HEAP_GRAPH_H

#include "base/status.h"
#include "base/symbols.h"
#include "heap/slots.h"
#include "merlin/lives/life_facts.h"
#include "report/lives/moments.h"
#include "report/report.h"
#include "report/report_settings.h"
#include "trace/names.h"

#include <string.h>

enum {
    GRAPH_IS_PRESENT = 1,   /* it is part of the heap at the moment */
    GRAPH_HAS_DIED = 2,     /* before the moment (report_settings.with_dead) */
    GRAPH_IS_ALLOCATED = 4, /* by the moment; its size, type and length are known */
    GRAPH_IS_ARRAY = 8,     /* by an A record */
    GRAPH_MARKS = 16        /* from here on, flags are for building the graph */
};

/* No frame, or no thread. */
#define GRAPH_NONE UINT32_MAX

/* What the record of an allocation says. Many objects share a shape. */
struct graph_shape {
    uint64_t type;
    uint64_t size;   /* bytes */
    uint64_t length; /* in elements; 0 if the trace does not say */
};

/* An object, gathered from the arrays. */
struct graph_object {
    node_t node;
    uint64_t id;              /* 0 unless ids are kept */
    struct graph_shape shape; /* if it is allocated */
    slot_t first;             /* its first slot; 0: it has none */
    unsigned flags;
};

enum graph_root_kind {
    GRAPH_ROOT_FRAME,  /* a frame of a thread holds it, or, if that has none, the thread */
    GRAPH_ROOT_SYSTEM, /* the object is immortal */
    GRAPH_ROOT_DEAD    /* the object has died, and nothing holds it */
};

struct graph_root {
    enum graph_root_kind kind;
    node_t object;
    uint32_t thread; /* index in graph->threads; GRAPH_NONE: none */
    uint32_t frame;  /* its number in the thread, 0 for the outermost; GRAPH_NONE: none */
};

struct graph_frame {
    uint64_t method;
    bool is_abandoned; /* an exception that is not recorded will unwind it */
};

struct graph_thread {
    uint64_t id;
    struct graph_frame *frames;
    size_t depth;
    size_t low; /* so many of the frames have stayed open since the moment */
};

/* Objects have numbers from 1 on; the slots of object 0 are the static fields. Skip objects
 * without GRAPH_IS_PRESENT. */
struct heap_graph {
    uint64_t *ids; /* by object; NULL: ids are not kept */
    slot_t *firsts;
    uint32_t *shapes;
    uint8_t *flags;
    size_t count;
    struct symbols known_shapes; /* by number: struct graph_shape, as bytes */
    struct slots *slots;
    struct graph_root *roots; /* by kind, thread, frame and object */
    size_t root_count;
    struct graph_thread *threads;
    size_t thread_count;
    uint32_t *sites;    /* by object: see graph_site */
    size_t site_room;   /* how many objects `sites` has room for */
    uint64_t *site_ids; /* by number of a site, from 1 on */
    size_t site_count;
    uint64_t trace_bytes;      /* of the trace, as text */
    struct graph_build *build; /* NULL: the graph is finished */
};

static inline bool graph_is_present(const struct heap_graph *graph, node_t object)
{
    return graph->flags[object] & GRAPH_IS_PRESENT;
}

static inline struct graph_shape graph_shape(const struct heap_graph *graph, node_t object)
{
    struct graph_shape shape;
    memcpy(&shape, symbols_text(&graph->known_shapes, graph->shapes[object], NULL),
           sizeof shape);
    return shape;
}

static inline struct graph_object graph_object(const struct heap_graph *graph, node_t object)
{
    return (struct graph_object){
        .node = object,
        .id = graph->ids ? graph->ids[object] : 0,
        .shape = graph_shape(graph, object),
        .first = graph->firsts[object],
        .flags = graph->flags[object],
    };
}

/* The number of the site where an object was allocated, by which graph->site_ids has its id; 0:
 * it is not known, or has no name. */
static inline uint32_t graph_site(const struct heap_graph *graph, node_t object)
{
    return object < graph->site_room ? graph->sites[object] : 0;
}

/* Returns the next present object that a container refers to, from *slot on. Sets *field to the
 * field of its slot, and moves *slot past it. NODE_NONE: there are no more. */
static inline node_t graph_next(const struct heap_graph *graph, slot_t *slot, uint64_t *field)
{
    while (*slot != 0) {
        node_t target;
        slots_look(graph->slots, slot, field, &target);
        if (target != NODE_NONE && graph_is_present(graph, target))
            return target;
    }
    return NODE_NONE;
}

/* The graphs of the heap at the moments of a run. Zero-initialize it; run_graphs_free ends it.
 */
struct run_graphs {
    struct heap_graph *items[MOMENTS_MOST + 1]; /* by moment; NULL: not made, or dropped */
    size_t count;
};

/* Begins a graph for each moment that is `wanted`. With `keeps_ids`, graphs have the ids of
 * objects, and of sites that have names. *moments and *material must outlive *graphs. */
enum status run_graphs_open(struct run_graphs *graphs, const struct report_material *material,
                            const struct moments *moments, const bool *wanted, bool keeps_ids,
                            struct failure *why) MUST_CHECK;

/* Adds the next life to all graphs. */
void run_graphs_add(struct run_graphs *graphs, const struct life_facts *life);

/* After all lives: reads the trace for the graph of moment number `moment`, and completes it.
 * STATUS_MEANING: the trace has changed since it was read first. */
enum status run_graphs_read(struct run_graphs *graphs, const struct report_material *material,
                            size_t moment, struct failure *why) MUST_CHECK;

/* Releases the graph of a moment, before the next one is read: otherwise all would be in memory
 * at the same time. */
void run_graphs_drop(struct run_graphs *graphs, size_t moment);

void run_graphs_free(struct run_graphs *graphs);

#endif
