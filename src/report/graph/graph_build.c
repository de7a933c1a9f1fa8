/* SPDX-License-Identifier: MIT */
/* Objects are called by their numbers (merlin/numbering.h), so that lives show where each is at
 * the moment, before the trace is read again. Only what may be in the heap then gets a node, in
 * the order in which it is named first; and what is named by the moment when it has not been
 * allocated, even if it never is, or is gone by then. */
#include "report/graph/graph_build.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Enlarges an array with an item for each object; returns it, unchanged if there is no memory.
 * *least becomes the smallest room of all these arrays. */
static void *enlarge(const struct graph_build *build, void *array, size_t needed,
                     size_t item_size, size_t *least)
{
    size_t capacity = build->capacity;
    void *grown = array_enlarge_slowly(array, &capacity, needed, item_size);
    if (capacity < *least)
        *least = capacity;
    return grown ? grown : array;
}

/* Makes room for one more object. */
static bool make_room(struct heap_graph *graph)
{
    struct graph_build *build = graph->build;
    size_t needed = graph->count + 1, least = SIZE_MAX;
    if (needed <= build->capacity)
        return true;
    graph->firsts = enlarge(build, graph->firsts, needed, sizeof *graph->firsts, &least);
    graph->shapes = enlarge(build, graph->shapes, needed, sizeof *graph->shapes, &least);
    graph->flags = enlarge(build, graph->flags, needed, sizeof *graph->flags, &least);
    build->threads = enlarge(build, build->threads, needed, sizeof *build->threads, &least);
    if (build->keeps_ids)
        graph->ids = enlarge(build, graph->ids, needed, sizeof *graph->ids, &least);
    build->capacity = least;
    return needed <= least;
}

enum status graph_add_object(struct heap_graph *graph, uint64_t id, node_t *node,
                             struct failure *why)
{
    if (graph->count > NODE_MAX)
        return fail(why, STATUS_LIMIT, "The heap has more than %" PRIu64 " objects",
                    (uint64_t)NODE_MAX);
    if (!make_room(graph))
        return fail_memory(why);
    *node = (node_t)graph->count++;
    graph->firsts[*node] = 0;
    graph->shapes[*node] = 0;
    graph->flags[*node] = 0;
    graph->build->threads[*node] = 0;
    if (graph->ids)
        graph->ids[*node] = id;
    return STATUS_OK;
}

enum status graph_number_shape(struct heap_graph *graph, const struct graph_shape *shape,
                               uint32_t *number, struct failure *why)
{
    return symbols_add(&graph->known_shapes, (const char *)shape, sizeof *shape, number, why);
}

/* Where the object with a number is at the moment. */
static enum graph_place place_of(const struct graph_build *build, uint64_t number)
{
    uint64_t life = number - 1;
    if (life >= build->lives)
        return PLACE_TO_COME;
    return build->places[life / PLACES_A_WORD] >> life % PLACES_A_WORD * PLACE_BITS &
           PLACE_MASK;
}

/* Notes that `node` is named after the moment, if this is the first time. */
static enum status name_later(struct heap_graph *graph, node_t node, struct failure *why)
{
    struct graph_build *build = graph->build;
    uint32_t thread = build->thread.number;
    if (graph->flags[node] & GRAPH_IS_NAMED)
        return STATUS_OK;
    if (!ARRAY_RESERVE(build->named, build->named_capacity, build->named_count + 1))
        return fail_memory(why);
    size_t low = thread < graph->thread_count ? graph->threads[thread].low : 0;
    build->named[build->named_count++] =
        (struct graph_named){node, low > 0 ? (uint32_t)(low - 1) : GRAPH_NONE};
    graph->flags[node] |= GRAPH_IS_NAMED;
    build->threads[node] = thread;
    return STATUS_OK;
}

/* Makes the node of an object. */
static enum status add_named(struct heap_graph *graph, struct graph_object_name name,
                             enum graph_place place, node_t *node, struct failure *why)
{
    static const uint8_t flags[] = {
        [PLACE_TO_COME] = GRAPH_IS_BORN_LATER,
        [PLACE_GONE] = GRAPH_IS_LEFT_OUT,
        [PLACE_ALIVE] = GRAPH_IS_PRESENT,
        [PLACE_DEAD] = GRAPH_IS_PRESENT | GRAPH_HAS_DIED,
    };
    uint64_t *entry = map_insert(&graph->build->nodes, name.number);
    if (!entry)
        return fail_memory(why);
    TRY(graph_add_object(graph, name.id, node, why));
    *entry = *node;
    if (name.number <= graph->build->lives)
        graph->flags[*node] = flags[place];
    return STATUS_OK;
}

/* Sets *node to the node of an object, which is made if it has none and needs one; NODE_NONE:
 * it has none. What is gone loses its node when it is allocated. */
static enum status find_node(struct heap_graph *graph, struct graph_object_name name,
                             node_t *node, struct failure *why)
{
    struct graph_build *build = graph->build;
    enum graph_place place = place_of(build, name.number);
    *node = NODE_NONE;
    if (name.number == 0 || (place == PLACE_GONE && name.number <= build->allocations))
        return STATUS_OK;
    const uint64_t *known = map_find(&build->nodes, name.number);
    if (!known && (!build->is_past || place == PLACE_ALIVE || place == PLACE_DEAD))
        return add_named(graph, name, place, node, why);
    *node = known ? (node_t)*known : NODE_NONE;
    return STATUS_OK;
}

/* As find_node, for any object: most records name one that is in the cache. */
static enum status find_known(struct heap_graph *graph, struct graph_object_name name,
                              node_t *node, struct failure *why)
{
    struct graph_known *known =
        &graph->build->known[name.number & ((1 << GRAPH_KNOWN_BITS) - 1)];
    *node = known->node;
    if (known->number == name.number)
        return STATUS_OK;
    TRY(find_node(graph, name, node, why));
    if (*node != NODE_NONE && !(graph->flags[*node] & GRAPH_IS_LEFT_OUT))
        *known = (struct graph_known){name.number, *node};
    return STATUS_OK;
}

enum status graph_name(struct heap_graph *graph, struct graph_object_name name, node_t *node,
                       struct failure *why)
{
    struct graph_build *build = graph->build;
    TRY(find_known(graph, name, node, why));
    if (*node == NODE_NONE)
        return STATUS_OK;
    if (build->is_past)
        return name_later(graph, *node, why);
    build->threads[*node] = build->thread.number;
    return STATUS_OK;
}

enum status graph_name_and_hold(struct heap_graph *graph, struct graph_object_name name,
                                node_t *node, struct failure *why)
{
    struct graph_build *build = graph->build;
    TRY(graph_name(graph, name, node, why));
    if (build->is_past || build->material->assumptions.held_by != HELD_BY_FRAME)
        return STATUS_OK;
    return frames_hold(build->frames, build->thread.number, *node, why);
}

/* Gives site `id` a number, if it has a name. */
static enum status number_site(struct heap_graph *graph, uint64_t id, uint64_t *entry,
                               struct failure *why)
{
    struct graph_build *build = graph->build;
    *entry = 1;
    if (!names_find_parts(build->site_names, NAMES_SITE, id).own)
        return STATUS_OK;
    if (!ARRAY_RESERVE(graph->site_ids, build->site_capacity, graph->site_count + 2))
        return fail_memory(why);
    graph->site_ids[++graph->site_count] = id;
    *entry = graph->site_count + 1;
    return STATUS_OK;
}

/* Notes where an object was allocated. */
static enum status note_site(struct heap_graph *graph, node_t node, uint64_t id,
                             struct failure *why)
{
    size_t room = graph->site_room;
    if (!graph->build->site_names)
        return STATUS_OK;
    uint64_t *entry = map_insert(&graph->build->sites, id);
    if (!entry)
        return fail_memory(why);
    if (*entry == 0)
        TRY(number_site(graph, id, entry, why));
    if (*entry == 1)
        return STATUS_OK;
    if (!ARRAY_RESERVE(graph->sites, graph->site_room, (size_t)node + 1))
        return fail_memory(why);
    uint32_t *sites = graph->sites;
    if (graph->site_room > room)
        memset(sites + room, 0, (graph->site_room - room) * sizeof *sites);
    sites[node] = (uint32_t)(*entry - 1);
    return STATUS_OK;
}

enum status graph_take_allocation(struct heap_graph *graph, const struct record *record,
                                  struct failure *why)
{
    const struct graph_shape shape = {record->type, record->size, record->length};
    node_t node;
    graph->build->births += !record_is_prior(record->kind);
    graph->build->allocations++;
    TRY(graph_name_and_hold(graph, graph->build->first, &node, why));
    if (node == NODE_NONE || graph->flags[node] & GRAPH_IS_BORN_LATER)
        return STATUS_OK;
    graph->flags[node] |= GRAPH_IS_ALLOCATED;
    if (record->kind == RECORD_ARRAY)
        graph->flags[node] |= GRAPH_IS_ARRAY;
    TRY(graph_number_shape(graph, &shape, &graph->shapes[node], why));
    return note_site(graph, node, record->site, why);
}
