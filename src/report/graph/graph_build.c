/* SPDX-License-Identifier: MIT */
/* Lives show which allocations are alive at the moment. So when the trace is read again, only
 * these objects, and those that are never allocated, get a node. Of all others, the id is kept
 * as long as they live, so that they are not taken for objects that are never allocated: after
 * the moment, only as long as a prior object may still come. */
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

bool graph_has_numbers(const struct graph_build *build)
{
    return build->options.keeps_ids && build->options.are_numbered;
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
    build->trace_ids =
        enlarge(build, build->trace_ids, needed, sizeof *build->trace_ids, &least);
    if (graph_has_numbers(build))
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
    graph->build->trace_ids[*node] = id;
    if (graph->ids)
        graph->ids[*node] = id;
    return STATUS_OK;
}

enum status graph_number_shape(struct heap_graph *graph, const struct graph_shape *shape,
                               uint32_t *number, struct failure *why)
{
    return symbols_add(&graph->known_shapes, (const char *)shape, sizeof *shape, number, why);
}

uint64_t graph_trace_id(const void *objects, node_t node)
{
    const struct graph_build *build = objects;
    return build->trace_ids[node];
}

static void close_deaths(struct graph_build *build)
{
    life_cursor_close(build->deaths);
    build->deaths = NULL;
}

enum status graph_open_deaths(struct graph_build *build, struct failure *why)
{
    if (!build->options.forgets_the_dead)
        return STATUS_OK;
    TRY(life_cursor_open(&build->deaths, build->options.stream, why));
    enum status status = life_cursor_next(build->deaths, &build->death, why);
    if (status == STATUS_END)
        close_deaths(build);
    return status == STATUS_END ? STATUS_OK : status;
}

enum status graph_forget_dead(struct graph_build *build, struct failure *why)
{
    enum status status = STATUS_OK;
    if (build->is_past && build->priors_left == 0)
        close_deaths(build);
    while (build->deaths && build->death.has_died && build->death.died.tick <= build->ticks) {
        const struct life_facts *death = &build->death;
        if (id_map_find(&build->elsewhere, death->object) == death->line)
            id_map_take(&build->elsewhere, death->object);
        status = life_cursor_next(build->deaths, &build->death, why);
        if (status != STATUS_OK)
            close_deaths(build);
    }
    return status == STATUS_END ? STATUS_OK : status;
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

/* Makes a node for an id that means no object so far. */
static enum status find_new(struct heap_graph *graph, uint64_t id, node_t *node,
                            struct failure *why)
{
    struct graph_build *build = graph->build;
    enum status status = graph_add_object(graph, id, node, why);
    node_t before;
    return status == STATUS_OK ? node_index_put(&build->nodes, id, *node, &before, why)
                               : status;
}

/* As graph_name, after the moment. An id that means no object may be that of a prior object,
 * which can be named before its record. */
static enum status name_past(struct heap_graph *graph, uint64_t id, node_t *node,
                             struct failure *why)
{
    struct graph_build *build = graph->build;
    bool may_be_prior = id != 0 && build->priors_left > 0;
    enum status status = STATUS_OK;
    if (*node == NODE_NONE && may_be_prior && id_map_find(&build->elsewhere, id) == 0)
        status = find_new(graph, id, node, why);
    return status == STATUS_OK && *node != NODE_NONE ? name_later(graph, *node, why) : status;
}

enum status graph_name(struct heap_graph *graph, uint64_t id, node_t *node, struct failure *why)
{
    struct graph_build *build = graph->build;
    *node = id == 0 ? NODE_NONE : node_index_find(&build->nodes, id);
    if (build->is_past)
        return name_past(graph, id, node, why);
    if (id == 0 || (*node == NODE_NONE && id_map_find(&build->elsewhere, id) != 0))
        return STATUS_OK;
    if (*node == NODE_NONE) {
        enum status status = find_new(graph, id, node, why);
        if (status != STATUS_OK)
            return status;
    }
    build->threads[*node] = build->thread.number;
    return STATUS_OK;
}

enum status graph_name_and_hold(struct heap_graph *graph, uint64_t id, node_t *node,
                                struct failure *why)
{
    struct graph_build *build = graph->build;
    enum status status = graph_name(graph, id, node, why);
    if (status != STATUS_OK || build->is_past ||
        build->options.assumptions.held_by != HELD_BY_FRAME)
        return status;
    return frames_hold(build->frames, build->thread.number, *node, why);
}

/* The bits of the allocation that `record` makes. */
static unsigned allocation_bits(struct graph_build *build, const struct record *record)
{
    if (record_is_prior(record->kind)) {
        const uint64_t *entry = map_find(&build->priors, build->first_line + record->line);
        unsigned bits = entry ? (unsigned)*entry : 0;
        build->priors_left -= bits != 0;
        return bits;
    }
    uint64_t number = build->births++;
    if (number >= build->options.moment->births)
        return 0;
    return build->bits[number / BITS_A_WORD] >> number % BITS_A_WORD * BITS & 3;
}

static enum status set_allocated(struct heap_graph *graph, node_t node,
                                 const struct record *record, unsigned bits,
                                 struct failure *why)
{
    const struct graph_shape shape = {record->type, record->size, record->length};
    unsigned more = GRAPH_IS_ALLOCATED | (record->kind == RECORD_ARRAY ? GRAPH_IS_ARRAY : 0) |
                    (bits & BIT_PRESENT ? GRAPH_IS_PRESENT : GRAPH_IS_LEFT_OUT) |
                    (bits & BIT_DEAD ? GRAPH_HAS_DIED : 0);
    graph->flags[node] |= (uint8_t)more;
    return graph_number_shape(graph, &shape, &graph->shapes[node], why);
}

/* If ids are numbers, the object gets that of the last allocation. */
static void take_number(struct heap_graph *graph, node_t node)
{
    if (graph->ids)
        graph->ids[node] = graph->build->allocations;
}

/* Gives site `id` a number, if it has a name. */
static enum status number_site(struct heap_graph *graph, uint64_t id, uint64_t *entry,
                               struct failure *why)
{
    struct graph_build *build = graph->build;
    *entry = 1;
    if (!names_find_parts(build->options.site_names, NAMES_SITE, id).own)
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
    if (!graph->build->options.site_names)
        return STATUS_OK;
    uint64_t *entry = map_insert(&graph->build->sites, id);
    enum status status = entry ? STATUS_OK : fail_memory(why);
    if (status == STATUS_OK && *entry == 0)
        status = number_site(graph, id, entry, why);
    if (status != STATUS_OK || *entry == 1)
        return status;
    if (!ARRAY_RESERVE(graph->sites, graph->site_room, (size_t)node + 1))
        return fail_memory(why);
    uint32_t *sites = graph->sites;
    if (graph->site_room > room)
        memset(sites + room, 0, (graph->site_room - room) * sizeof *sites);
    sites[node] = (uint32_t)(*entry - 1);
    return STATUS_OK;
}

/* From now on, the id of the record means an object that is not in the heap at the moment.
 * After the moment, this is of interest only while the id could be taken for that of a prior
 * object.
 */
static enum status send_elsewhere(struct graph_build *build, const struct record *record,
                                  struct failure *why)
{
    node_index_take(&build->nodes, record->object);
    if (build->is_past && build->priors_left == 0)
        return STATUS_OK;
    uint64_t *line = id_map_insert(&build->elsewhere, record->object);
    if (!line)
        return fail_memory(why);
    *line = build->first_line + record->line;
    return STATUS_OK;
}

/* An allocation by the moment, or a prior object. If its id has a node that is not allocated,
 * it becomes that of the object. */
static enum status allocate(struct heap_graph *graph, const struct record *record,
                            unsigned bits, struct failure *why)
{
    struct graph_build *build = graph->build;
    node_t node = node_index_find(&build->nodes, record->object);
    bool is_adopted = node != NODE_NONE && !(graph->flags[node] & GRAPH_IS_BORN);
    enum status status = STATUS_OK;
    if (!bits)
        status = send_elsewhere(build, record, why);
    else
        id_map_take(&build->elsewhere, record->object);
    if (bits && !is_adopted)
        status = find_new(graph, record->object, &node, why);
    if (status != STATUS_OK || (!bits && !is_adopted))
        return status;
    status = set_allocated(graph, node, record, bits, why);
    take_number(graph, node);
    if (!bits || status != STATUS_OK)
        return status;
    status = note_site(graph, node, record->site, why);
    if (status != STATUS_OK)
        return status;
    return graph_name_and_hold(graph, record->object, &node, why);
}

/* Whether an object was first named after the moment, and has no record of its own so far. */
static bool is_late(const struct heap_graph *graph, node_t node)
{
    return node >= graph->build->late && !(graph->flags[node] & GRAPH_IS_BORN);
}

/* An allocation after the moment. If its id means an allocated object, it means another object
 * from now on; otherwise it is the object's own allocation, which names it. */
static enum status allocate_later(struct heap_graph *graph, const struct record *record,
                                  struct failure *why)
{
    struct graph_build *build = graph->build;
    node_t node = node_index_find(&build->nodes, record->object);
    if (node == NODE_NONE || is_late(graph, node) || graph->flags[node] & GRAPH_IS_BORN)
        return send_elsewhere(build, record, why);
    graph->flags[node] |= GRAPH_IS_BORN_LATER;
    take_number(graph, node);
    return graph_name(graph, record->object, &node, why);
}

enum status graph_take_allocation(struct heap_graph *graph, const struct record *record,
                                  struct failure *why)
{
    unsigned bits = allocation_bits(graph->build, record);
    graph->build->allocations++;
    bool is_later = graph->build->is_past && !record_is_prior(record->kind);
    return is_later ? allocate_later(graph, record, why) : allocate(graph, record, bits, why);
}
