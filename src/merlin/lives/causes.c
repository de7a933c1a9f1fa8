/* SPDX-License-Identifier: MIT */
/* The key of an object that dies is among the objects that reach it through objects with the
 * same time of death, so searches are limited to these. Candidates for keys are objects whose
 * own last use is their time of death.
 *
 * The first round starts a search at each candidate that no search has reached yet. An earlier
 * start may still be reached from a later one, but never a later one from an earlier one. So
 * the second round takes the starts in reverse order, and again leaves out those that have been
 * reached: those that it starts from are the keys, and what a search reaches first is its
 * group. No strongly connected components are needed. find_keys has an example. */
#include "merlin/lives/causes.h"

#include "base/memory.h"
#include "heap/objects_inline.h"

#include <stdlib.h>

enum { CYCLE_BIT = 0x80 };
_Static_assert((int)CAUSE_COUNT < (int)CYCLE_BIT, "a cause and the bit share a byte");

const char *cause_name(enum cause cause)
{
    static const char *const names[] = {
        [CAUSE_USE] = "use",
        [CAUSE_UPDATE] = "update",
        [CAUSE_FRAME] = "frame",
        [CAUSE_CONTAINER] = "container",
        [CAUSE_STATIC] = "static",
        [CAUSE_ALIVE_STATIC] = "alive-static",
        [CAUSE_ALIVE_FRAME] = "alive-frame",
        [CAUSE_ALIVE_HELD] = "alive-held",
        [CAUSE_ALIVE_USED] = "alive-used",
        [CAUSE_UNKNOWN] = "",
    };
    return names[cause];
}

/* The state of the search for keys. */
struct cause_search {
    const struct deaths *deaths;
    struct heap heap;
    node_t *marks; /* by node: the start that reached it; NODE_NONE: none has */
    node_t *stack;
    node_t *starts; /* those of the first round, in order */
    size_t start_count;
};

/* Marks with `start` all unmarked nodes that `start` reaches through nodes that die when it
 * does, itself included. */
static enum status mark_reachable(struct cause_search *search, node_t start,
                                  struct failure *why)
{
    const uint64_t *times = search->deaths->last_reached;
    size_t height = 0;
    search->marks[start] = start;
    search->stack[height++] = start;
    while (height > 0) {
        node_t target, container = search->stack[--height];
        slot_t slot = *objects_first_slot(search->heap.objects, container);
        TRY(interrupt_check(search->deaths->pass->interrupt, why));
        while ((target = slots_next(search->heap.slots, &slot)) != NODE_NONE) {
            if (times[target] != times[start] || search->marks[target] != NODE_NONE)
                continue;
            search->marks[target] = start;
            search->stack[height++] = target;
        }
    }
    return STATUS_OK;
}

/* Whether `node` dies at the first boundary after its own last use. */
static bool is_candidate(const struct cause_search *search, node_t node)
{
    uint64_t time = search->deaths->last_reached[node];
    return time < search->deaths->pass->clock.now &&
           time == objects_last_uses(search->heap.objects)[node];
}

/* The first round: candidates whose last use explains most come first. */
static enum status find_starts(struct cause_search *search, struct failure *why)
{
    static const enum use order[] = {USE_STATIC, USE_OVERWRITTEN, USE_POPPED, USE_NAMED};
    const struct uses *uses = search->deaths->pass->recorders->uses;
    size_t count = objects_count(search->heap.objects);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        for (size_t node = 1; node < count; node++) {
            if (search->marks[node] != NODE_NONE || uses_last(uses, (node_t)node) != order[i] ||
                !is_candidate(search, (node_t)node))
                continue;
            search->starts[search->start_count++] = (node_t)node;
            TRY(mark_reachable(search, (node_t)node, why));
        }
    return STATUS_OK;
}

/* Both rounds. For example, let 1, 2 and 3 die at one boundary, each of them last named at the
 * tick before it. 2 refers to 1 and to 3, and 3 refers to 2. The first round starts at 1, which
 * reaches nothing, and at 2, which reaches 3; so 3 is not a start. The second round begins at
 * the last start, 2, which reaches 3 and 1; so 1 is not a key. All three are one group, whose
 * key is 2. */
static enum status find_keys(struct causes *causes, struct cause_search *search, size_t count,
                             struct failure *why)
{
    causes->keys = array_new(count, sizeof *causes->keys);
    search->marks = array_new(count, sizeof *search->marks);
    search->stack = array_new(count, sizeof *search->stack);
    search->starts = array_new(count, sizeof *search->starts);
    if (!causes->keys || !search->marks || !search->stack || !search->starts)
        return fail_memory(why);
    enum status status = find_starts(search, why);
    free(search->marks);
    search->marks = causes->keys;
    while (search->start_count-- > 0 && status == STATUS_OK)
        if (search->marks[search->starts[search->start_count]] == NODE_NONE)
            status = mark_reachable(search, search->starts[search->start_count], why);
    search->marks = NULL;
    return status;
}

/* The cause of a node, unless a static field or a frame holds it directly. */
static enum cause find_cause(const struct causes *causes, const struct deaths *deaths,
                             node_t node)
{
    static const enum cause of_last_use[] = {
        [USE_NAMED] = CAUSE_USE,
        [USE_OVERWRITTEN] = CAUSE_UPDATE,
        [USE_STATIC] = CAUSE_STATIC,
        [USE_POPPED] = CAUSE_FRAME,
    };
    const struct pass *pass = deaths->pass;
    uint64_t now = pass->clock.now;
    if (deaths->last_reached[node] < now)
        return causes->keys[node] != node ? CAUSE_CONTAINER
                                          : of_last_use[uses_last(pass->recorders->uses, node)];
    if (deaths->last_reached[node] == NEVER)
        return CAUSE_ALIVE_HELD;
    return objects_last_uses(pass->heap.objects)[node] == now ? CAUSE_ALIVE_USED
                                                              : CAUSE_ALIVE_HELD;
}

static enum status find_causes(struct causes *causes, const struct deaths *deaths, size_t count,
                               struct failure *why)
{
    const struct heap *heap = &deaths->pass->heap;
    causes->causes = array_new(count, sizeof *causes->causes);
    if (!causes->causes)
        return fail_memory(why);
    for (size_t node = 1; node < count; node++)
        causes->causes[node] = (uint8_t)find_cause(causes, deaths, (node_t)node);
    for (size_t holder = 0; holder < frames_holder_count(heap->frames); holder++) {
        size_t held_count;
        const node_t *held =
            frames_held(heap->frames, frames_holder(heap->frames, holder), &held_count);
        for (size_t i = 0; i < held_count; i++)
            causes->causes[held[i]] = CAUSE_ALIVE_FRAME;
    }
    slot_t slot = *objects_first_slot(heap->objects, NODE_NONE);
    node_t target;
    while ((target = slots_next(heap->slots, &slot)) != NODE_NONE)
        causes->causes[target] = CAUSE_ALIVE_STATIC;
    return STATUS_OK;
}

/* Walks over the references of `container` within its group: returns the next object of the
 * group that it refers to; NODE_NONE: there is no more. */
static node_t next_in_group(const struct causes *causes, const struct heap *heap,
                            node_t container, slot_t *slot)
{
    node_t target;
    while ((target = slots_next(heap->slots, slot)) != NODE_NONE)
        if (causes->keys[target] == causes->keys[container])
            return target;
    return NODE_NONE;
}

/* Repeatedly removes from the groups objects that no reference of their group leads to. What is
 * left is on a cycle or after one. */
static void remove_acyclic(const struct causes *causes, const struct heap *heap,
                           slot_t *references, node_t *stack, size_t count)
{
    size_t height = 0;
    for (size_t node = 1; node < count; node++)
        if (causes->keys[node] != NODE_NONE && references[node] == 0)
            stack[height++] = (node_t)node;
    while (height > 0) {
        node_t target, container = stack[--height];
        slot_t slot = *objects_first_slot(heap->objects, container);
        while ((target = next_in_group(causes, heap, container, &slot)) != NODE_NONE)
            if (--references[target] == 0)
                stack[height++] = target;
    }
}

/* Marks the keys whose groups have cycles. */
static enum status find_cycles(struct causes *causes, const struct heap *heap, node_t *stack,
                               size_t count, struct failure *why)
{
    slot_t *references = array_new(count, sizeof *references); /* by node, in its group */
    if (!references)
        return fail_memory(why);
    for (size_t node = 1; node < count; node++) {
        if (causes->keys[node] == NODE_NONE)
            continue;
        node_t target;
        slot_t slot = *objects_first_slot(heap->objects, (node_t)node);
        while ((target = next_in_group(causes, heap, (node_t)node, &slot)) != NODE_NONE)
            references[target]++;
    }
    remove_acyclic(causes, heap, references, stack, count);
    for (size_t node = 1; node < count; node++)
        if (references[node] > 0)
            causes->causes[causes->keys[node]] |= CYCLE_BIT;
    free(references);
    return STATUS_OK;
}

/* Makes a group for each key that has two or more objects by `counts`, which is by node.
 * Replaces each count with the number of the key's group, from 1; 0: it has none. */
static enum status make_groups(struct causes *causes, node_t *counts, size_t count,
                               struct failure *why)
{
    size_t groups = 0;
    for (size_t node = 1; node < count; node++)
        groups += counts[node] > 1;
    causes->groups = array_new(groups, sizeof *causes->groups);
    if (!causes->groups)
        return fail_memory(why);
    for (size_t node = 1; node < count; node++) {
        node_t objects = counts[node];
        counts[node] = 0;
        if (objects < 2)
            continue;
        causes->groups[causes->group_count++] = (struct group){
            .key = (node_t)node,
            .objects = objects,
            .has_cycle = causes_has_cycle(causes, (node_t)node),
        };
        counts[node] = (node_t)causes->group_count;
    }
    return STATUS_OK;
}

static enum status find_groups(struct causes *causes, const struct pass *pass, size_t count,
                               struct failure *why)
{
    size_t allocated;
    const node_t *nodes = objects_allocations(pass->heap.objects, &allocated);
    node_t *counts = array_new(count, sizeof *counts);
    if (!counts)
        return fail_memory(why);
    const struct allocations *allocations = &pass->recorders->allocations;
    for (size_t i = 0; i < allocated; i++)
        counts[causes->keys[nodes[i]]] += !allocations_is_prior(allocations, i);
    counts[NODE_NONE] = 0;
    enum status status = make_groups(causes, counts, count, why);
    for (size_t i = 0; i < allocated && status == STATUS_OK; i++) {
        node_t group = counts[causes->keys[nodes[i]]];
        if (group != 0 && !allocations_is_prior(allocations, i))
            causes->groups[group - 1].bytes += allocations_size(allocations, i);
    }
    free(counts);
    return status;
}

enum status causes_find(struct causes *causes, const struct deaths *deaths, struct failure *why)
{
    *causes = (struct causes){.keys = NULL};
    struct cause_search search = {.deaths = deaths, .heap = deaths->pass->heap};
    size_t count = objects_count(search.heap.objects);
    enum status status = find_keys(causes, &search, count, why);
    free(search.marks);
    free(search.starts);
    if (status == STATUS_OK)
        status = find_causes(causes, deaths, count, why);
    if (status == STATUS_OK)
        status = find_cycles(causes, &search.heap, search.stack, count, why);
    free(search.stack);
    return status == STATUS_OK ? find_groups(causes, deaths->pass, count, why) : status;
}

enum cause causes_of(const struct causes *causes, node_t node)
{
    return (enum cause)(causes->causes[node] & ~CYCLE_BIT);
}

bool causes_has_cycle(const struct causes *causes, node_t key)
{
    return causes->causes[key] & CYCLE_BIT;
}

const struct group *causes_group(const struct causes *causes, node_t key)
{
    size_t low = 0, high = causes->group_count;
    BISECT(low, high, at, causes->groups[at].key < key);
    return low < causes->group_count && causes->groups[low].key == key ? &causes->groups[low]
                                                                       : NULL;
}

void causes_free(struct causes *causes)
{
    free(causes->keys);
    free(causes->causes);
    free(causes->groups);
    *causes = (struct causes){.keys = NULL};
}
