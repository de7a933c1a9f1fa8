/* SPDX-License-Identifier: MIT */
/* First, all objects that static fields, frames and immortal objects reach are marked. The
 * others are held by local variables, which a trace does not show, or are never allocated and
 * may be dead. Tarjan's algorithm ("Depth-First Search and Linear Graph Algorithms", SIAM J.
 * Comput. 1, 1972) finds their strongly connected components, in reverse topological order.
 * Taken backwards, each component comes after all those that refer to it. It has a root if none
 * of these is in the heap. */
#include "report/graph/graph_build.h"

#include "base/memory.h"

#include <stdlib.h>

enum status graph_add_root(struct heap_graph *graph, const struct graph_root *root,
                           struct failure *why)
{
    if (!ARRAY_RESERVE(graph->roots, graph->build->root_capacity, graph->root_count + 1))
        return fail_memory(why);
    graph->roots[graph->root_count++] = *root;
    return STATUS_OK;
}

/* A component of objects that refer to each other. */
struct component {
    node_t first;   /* its first member's index in `members` */
    node_t named;   /* the member named first after the moment; NODE_NONE: none is */
    uint32_t frame; /* the frame that holds `named` */
    bool is_held, is_held_by_dead; /* by a live component, by one of dead objects */
};

/* An object whose references are being followed. */
struct visit {
    node_t object;
    slot_t slot;
};

struct root_search {
    struct heap_graph *graph;
    struct visit *visits; /* a stack */
    size_t depth, visit_capacity;
    /* By object, of Tarjan's algorithm: */
    node_t *order; /* in which the search came to it, from 1 on; 0: not yet */
    /* The earliest known order in its component; in the end the index of that. */
    node_t *low;
    node_t *waiting; /* a stack of objects whose component is not known yet */
    size_t waiting_count;
    node_t come_to;
    node_t *members; /* by component */
    size_t member_count;
    struct component *components;
    size_t component_count, component_capacity;
};

static void search_free(struct root_search *search)
{
    free(search->visits);
    free(search->order);
    free(search->low);
    free(search->waiting);
    free(search->members);
    free(search->components);
}

static enum status push(struct root_search *search, node_t object, struct failure *why)
{
    if (!ARRAY_RESERVE(search->visits, search->visit_capacity, search->depth + 1))
        return fail_memory(why);
    search->visits[search->depth++] = (struct visit){object, search->graph->firsts[object]};
    return STATUS_OK;
}

/* The next object that the slots from *slot on refer to, if it can be in the heap and has none
 * of `flags`; moves *slot past it. NODE_NONE: there are no more. */
static node_t target_without(const struct heap_graph *graph, slot_t *slot, unsigned flags)
{
    while (*slot != 0) {
        uint64_t field;
        node_t target;
        slots_look(graph->slots, slot, &field, &target);
        if (target != NODE_NONE && !(graph->flags[target] & (flags | GRAPH_IS_LEFT_OUT)))
            return target;
    }
    return NODE_NONE;
}

/* The same of the object visited last. */
static node_t next_target(struct root_search *search, unsigned flags)
{
    return target_without(search->graph, &search->visits[search->depth - 1].slot, flags);
}

static enum status mark(struct root_search *search, node_t object, struct failure *why)
{
    search->graph->flags[object] |= GRAPH_IS_REACHED;
    return push(search, object, why);
}

/* Marks `object` and all that it reaches, but for dead objects, which nothing holds. */
static enum status reach(struct root_search *search, node_t object, struct failure *why)
{
    unsigned flags = GRAPH_IS_REACHED | GRAPH_HAS_DIED;
    if (search->graph->flags[object] & (flags | GRAPH_IS_LEFT_OUT))
        return STATUS_OK;
    TRY(mark(search, object, why));
    while (search->depth > 0) {
        node_t target = next_target(search, flags);
        if (target == NODE_NONE)
            search->depth--;
        else
            TRY(mark(search, target, why));
    }
    return STATUS_OK;
}

/* Drops roots that are not in the heap and, with HELD_BY_RECEIVER, those that abandoned frames
 * hold. */
static void drop_roots(struct heap_graph *graph, const struct assumptions *assumptions)
{
    size_t kept = 0;
    for (size_t i = 0; i < graph->root_count; i++) {
        const struct graph_root *root = &graph->roots[i];
        bool is_abandoned = assumptions->held_by == HELD_BY_RECEIVER &&
                            graph->threads[root->thread].frames[root->frame].is_abandoned;
        unsigned flags = graph->flags[root->object];
        if (!is_abandoned && !(flags & (GRAPH_IS_LEFT_OUT | GRAPH_HAS_DIED)))
            graph->roots[kept++] = *root;
    }
    graph->root_count = kept;
}

static enum status add_immortals(struct heap_graph *graph, struct failure *why)
{
    for (size_t i = 1; i < graph->count; i++) {
        const struct graph_root root = {GRAPH_ROOT_SYSTEM, (node_t)i, GRAPH_NONE, GRAPH_NONE};
        if (!(graph->flags[i] & (GRAPH_IS_BORN | GRAPH_IS_LEFT_OUT)))
            TRY(graph_add_root(graph, &root, why));
    }
    return STATUS_OK;
}

/* Marks all that the roots reach which the trace shows. */
static enum status reach_all(struct root_search *search, struct failure *why)
{
    const struct heap_graph *graph = search->graph;
    node_t target;
    for (slot_t slot = graph->firsts[0];
         (target = target_without(graph, &slot, 0)) != NODE_NONE;)
        TRY(reach(search, target, why));
    for (size_t i = 0; i < graph->root_count; i++)
        TRY(reach(search, graph->roots[i].object, why));
    return STATUS_OK;
}

static enum status come_to(struct root_search *search, node_t object, struct failure *why)
{
    search->order[object] = search->low[object] = ++search->come_to;
    search->waiting[search->waiting_count++] = object;
    return push(search, object, why);
}

/* The waiting objects from the top of the stack down to `object` are a component. */
static enum status end_component(struct root_search *search, node_t object, struct failure *why)
{
    if (!ARRAY_RESERVE(search->components, search->component_capacity,
                       search->component_count + 1))
        return fail_memory(why);
    search->components[search->component_count] =
        (struct component){.first = (node_t)search->member_count};
    node_t member;
    do {
        member = search->waiting[--search->waiting_count];
        search->low[member] = (node_t)search->component_count;
        search->order[member] = NODE_MAX;
        search->members[search->member_count++] = member;
    } while (member != object);
    search->component_count++;
    return STATUS_OK;
}

/* Ends the last visit, whose references have all been followed. */
static enum status end_visit(struct root_search *search, struct failure *why)
{
    node_t object = search->visits[--search->depth].object;
    if (search->depth > 0) {
        node_t *low = &search->low[search->visits[search->depth - 1].object];
        if (search->low[object] < *low)
            *low = search->low[object];
    }
    return search->low[object] == search->order[object] ? end_component(search, object, why)
                                                        : STATUS_OK;
}

static enum status find_components_from(struct root_search *search, node_t object,
                                        struct failure *why)
{
    TRY(come_to(search, object, why));
    while (search->depth > 0) {
        node_t target = next_target(search, GRAPH_IS_REACHED);
        node_t *low = &search->low[search->visits[search->depth - 1].object];
        if (target == NODE_NONE)
            TRY(end_visit(search, why));
        else if (search->order[target] == 0)
            TRY(come_to(search, target, why));
        else if (search->order[target] < *low)
            *low = search->order[target];
    }
    return STATUS_OK;
}

static enum status find_components(struct root_search *search, struct failure *why)
{
    const struct heap_graph *graph = search->graph;
    search->order = array_new(graph->count, sizeof *search->order);
    search->low = array_new(graph->count, sizeof *search->low);
    search->waiting = array_new(graph->count, sizeof *search->waiting);
    search->members = array_new(graph->count, sizeof *search->members);
    if (!search->order || !search->low || !search->waiting || !search->members)
        return fail_memory(why);
    for (size_t i = 1; i < graph->count; i++)
        if (!(graph->flags[i] & (GRAPH_IS_REACHED | GRAPH_IS_LEFT_OUT)) &&
            search->order[i] == 0)
            TRY(find_components_from(search, (node_t)i, why));
    return STATUS_OK;
}

/* The index in `members` after the last member of a component. */
static size_t members_end(const struct root_search *search, size_t number)
{
    return number + 1 < search->component_count ? search->components[number + 1].first
                                                : search->member_count;
}

/* The first object of a component that is present and, as `has_died` says, dead or alive;
 * NODE_NONE: there is none. */
static node_t find_member(const struct root_search *search, size_t number, bool has_died)
{
    size_t end = members_end(search, number);
    node_t first = NODE_NONE;
    for (size_t i = search->components[number].first; i < end; i++) {
        node_t member = search->members[i];
        unsigned flags = search->graph->flags[member];
        if (flags & GRAPH_IS_PRESENT && !(flags & GRAPH_HAS_DIED) == !has_died &&
            (first == NODE_NONE || member < first))
            first = member;
    }
    return first;
}

/* The frame that holds an object which is not named after the moment: the innermost of the
 * thread. */
static uint32_t last_frame(const struct heap_graph *graph, uint32_t thread)
{
    size_t depth = thread == GRAPH_NONE ? 0 : graph->threads[thread].depth;
    return depth > 0 ? (uint32_t)(depth - 1) : GRAPH_NONE;
}

/* The root of a component that is alive: `object`, held by a frame. */
static struct graph_root root_of(const struct root_search *search,
                                 const struct component *component, node_t object)
{
    uint32_t thread = search->graph->build->threads[object];
    uint32_t frame =
        object == component->named ? component->frame : last_frame(search->graph, thread);
    return (struct graph_root){GRAPH_ROOT_FRAME, object, thread, frame};
}

/* Marks a component as present, and the components to which it refers as held. */
static void hold_targets(struct root_search *search, size_t number, bool is_dead)
{
    const struct heap_graph *graph = search->graph;
    size_t end = members_end(search, number);
    for (size_t i = search->components[number].first; i < end; i++) {
        node_t member = search->members[i], target;
        graph->flags[member] |= GRAPH_IS_PRESENT;
        for (slot_t slot = graph->firsts[member];
             (target = target_without(graph, &slot, GRAPH_IS_REACHED)) != NODE_NONE;) {
            struct component *held = &search->components[search->low[target]];
            held->is_held |= !is_dead;
            held->is_held_by_dead |= is_dead;
        }
    }
}

/* Decides about the next component, in topological order: whether it is in the heap, alive or
 * dead, and whether it has a root. */
static enum status place_component(struct root_search *search, size_t number,
                                   struct failure *why)
{
    const struct component *component = &search->components[number];
    node_t alive =
        component->named != NODE_NONE ? component->named : find_member(search, number, false);
    node_t dead = alive == NODE_NONE ? find_member(search, number, true) : NODE_NONE;
    bool is_alive = alive != NODE_NONE || component->is_held;
    bool is_dead = !is_alive && (dead != NODE_NONE || component->is_held_by_dead);
    if (!is_alive && !is_dead)
        return STATUS_OK;
    if (is_dead && !component->is_held_by_dead) {
        const struct graph_root root = {GRAPH_ROOT_DEAD, dead, GRAPH_NONE, GRAPH_NONE};
        TRY(graph_add_root(search->graph, &root, why));
    } else if (is_alive && !component->is_held) {
        const struct graph_root root = root_of(search, component, alive);
        TRY(graph_add_root(search->graph, &root, why));
    }
    hold_targets(search, number, is_dead);
    return STATUS_OK;
}

static void set_named(struct component *component, const struct graph_named *named)
{
    component->named = named->object;
    component->frame = named->frame;
}

/* Finds which object of each component is named first. */
static void find_named(struct root_search *search)
{
    const struct graph_build *build = search->graph->build;
    for (size_t i = build->named_count; i-- > 0;) {
        node_t object = build->named[i].object;
        unsigned flags = search->graph->flags[object];
        if (!(flags & (GRAPH_IS_REACHED | GRAPH_IS_LEFT_OUT | GRAPH_HAS_DIED)))
            set_named(&search->components[search->low[object]], &build->named[i]);
    }
}

static enum status place_components(struct root_search *search, struct failure *why)
{
    TRY(find_components(search, why));
    find_named(search);
    for (size_t i = search->component_count; i-- > 0;)
        TRY(place_component(search, i, why));
    return STATUS_OK;
}

static int compare_roots(const void *left, const void *right)
{
    const struct graph_root *a = left, *b = right;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    if (a->frame != b->frame)
        return a->frame < b->frame ? -1 : 1;
    return (a->object > b->object) - (a->object < b->object);
}

/* Sorts the roots and removes duplicates. */
static void sort_roots(struct heap_graph *graph)
{
    size_t kept = 0;
    if (graph->root_count == 0)
        return;
    qsort(graph->roots, graph->root_count, sizeof *graph->roots, compare_roots);
    for (size_t i = 1; i < graph->root_count; i++)
        if (compare_roots(&graph->roots[kept], &graph->roots[i]) != 0)
            graph->roots[++kept] = graph->roots[i];
    graph->root_count = kept + 1;
}

enum status graph_find_roots(struct heap_graph *graph, struct failure *why)
{
    const struct assumptions *assumptions = &graph->build->material->assumptions;
    struct root_search search = {.graph = graph};
    enum status status = STATUS_OK;
    drop_roots(graph, assumptions);
    if (assumptions->unallocated == UNALLOCATED_IMMORTAL)
        status = add_immortals(graph, why);
    if (status == STATUS_OK)
        status = reach_all(&search, why);
    if (status == STATUS_OK)
        status = place_components(&search, why);
    search_free(&search);
    for (size_t i = 1; i < graph->count; i++)
        if (graph->flags[i] & GRAPH_IS_REACHED)
            graph->flags[i] |= GRAPH_IS_PRESENT;
    sort_roots(graph);
    return status;
}
