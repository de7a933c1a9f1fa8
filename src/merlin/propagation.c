/* SPDX-License-Identifier: MIT */
/* Graph searches start from the roots, then from the nodes in descending order of last use.
 * Each search stamps the nodes that it newly reaches with the time of its start, so the first
 * stamp of a node is the largest, and no node is visited twice. The searches have their own
 * stack, since chains in heaps are longer than the C stack is deep. */
#include "merlin/propagation.h"

#include "base/memory.h"
#include "heap/objects_inline.h"
#include "merlin/sort.h"

#include <stdlib.h>

/* How many nodes are reached between two calls of progress. */
enum { PROGRESS_EVERY = 1 << 14 };

#define UNREACHED (UINT64_MAX - 1)

struct search {
    const struct heap *heap;
    const struct interrupt *interrupt;
    const struct propagation_progress *progress; /* NULL: there is none */
    size_t reached;
    uint64_t *deaths;
    node_t *stack; /* stamped nodes whose slots have not been followed */
    size_t height;
    size_t capacity;
};

/* Counts a node that is reached. */
static void count_reached(struct search *search)
{
    const struct propagation_progress *progress = search->progress;
    if (++search->reached % PROGRESS_EVERY == 0 && progress && progress->see)
        progress->see(progress->context, search->reached, objects_count(search->heap->objects));
}

static enum status stamp(struct search *search, node_t node, uint64_t death,
                         struct failure *why)
{
    if (search->deaths[node] != UNREACHED)
        return STATUS_OK;
    if (!ARRAY_RESERVE(search->stack, search->capacity, search->height + 1))
        return fail_memory(why);
    search->deaths[node] = death;
    search->stack[search->height++] = node;
    count_reached(search);
    return STATUS_OK;
}

/* Stamps `node` and all that it reaches, as far as they have no stamp. */
static enum status stamp_reachable(struct search *search, node_t node, uint64_t death,
                                   struct failure *why)
{
    TRY(stamp(search, node, death, why));
    while (search->height > 0) {
        node_t container = search->stack[--search->height];
        slot_t slot = *objects_first_slot(search->heap->objects, container);
        node_t target;
        TRY(interrupt_check(search->interrupt, why));
        while ((target = slots_next(search->heap->slots, &slot)) != NODE_NONE)
            TRY(stamp(search, target, death, why));
    }
    return STATUS_OK;
}

/* Stamps what roots reach: static fields, what open frames hold, and unallocated objects if
 * they are immortal. */
static enum status stamp_roots(struct search *search, enum unallocated unallocated,
                               struct failure *why)
{
    const struct frames *frames = search->heap->frames;
    const struct objects *objects = search->heap->objects;
    TRY(stamp_reachable(search, NODE_NONE, NEVER, why));
    for (size_t holder = 0; holder < frames_holder_count(frames); holder++) {
        size_t count;
        const node_t *held = frames_held(frames, frames_holder(frames, holder), &count);
        for (size_t i = 0; i < count; i++)
            TRY(stamp_reachable(search, held[i], NEVER, why));
    }
    if (unallocated == UNALLOCATED_LAST_USE)
        return STATUS_OK;
    for (size_t node = 1; node < objects_count(objects); node++)
        if (!objects_is_allocated(objects, (node_t)node))
            TRY(stamp_reachable(search, (node_t)node, NEVER, why));
    return STATUS_OK;
}

/* Stamps what the records that are still to come name. */
static enum status stamp_named_later(struct search *search, const struct named_later *later,
                                     struct failure *why)
{
    size_t nodes = objects_count(search->heap->objects);
    for (size_t node = 1; node < nodes; node++)
        if (later->last_mentions[node] > later->record)
            TRY(stamp_reachable(search, (node_t)node, NEVER, why));
    return STATUS_OK;
}

/* Lists the nodes that no root reaches, sorted by last use. */
static enum status list_mortals(const struct search *search, node_t **mortals, size_t *count,
                                struct failure *why)
{
    const uint64_t *last_uses = objects_last_uses(search->heap->objects);
    size_t nodes = objects_count(search->heap->objects);
    uint64_t latest = 0;
    *count = 0;
    *mortals = array_new(nodes, sizeof **mortals);
    if (!*mortals)
        return fail_memory(why);
    for (size_t node = 1; node < nodes; node++) {
        if (search->deaths[node] != UNREACHED)
            continue;
        (*mortals)[(*count)++] = (node_t)node;
        if (last_uses[node] > latest)
            latest = last_uses[node];
    }
    return sort_nodes(*mortals, *count, last_uses, latest, search->interrupt, why);
}

static enum status stamp_mortals(struct search *search, struct failure *why)
{
    const uint64_t *last_uses = objects_last_uses(search->heap->objects);
    node_t *mortals;
    size_t count;
    enum status status = list_mortals(search, &mortals, &count, why);
    while (count-- > 0 && status == STATUS_OK)
        status = stamp_reachable(search, mortals[count], last_uses[mortals[count]], why);
    free(mortals);
    return status;
}

enum status propagate(const struct heap *heap, enum unallocated unallocated,
                      const struct named_later *later, const struct interrupt *interrupt,
                      const struct propagation_progress *progress, uint64_t **deaths,
                      struct failure *why)
{
    size_t nodes = objects_count(heap->objects);
    struct search search = {.heap = heap,
                            .interrupt = interrupt,
                            .progress = progress,
                            .deaths = array_new(nodes, sizeof *search.deaths)};
    if (!search.deaths)
        return fail_memory(why);
    for (size_t node = 0; node < nodes; node++)
        search.deaths[node] = UNREACHED;
    enum status status = stamp_roots(&search, unallocated, why);
    if (status == STATUS_OK && later)
        status = stamp_named_later(&search, later, why);
    if (status == STATUS_OK)
        status = stamp_mortals(&search, why);
    free(search.stack);
    if (status == STATUS_OK)
        *deaths = search.deaths;
    else
        free(search.deaths);
    return status;
}
