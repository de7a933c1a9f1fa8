/* SPDX-License-Identifier: MIT */
/* In a table, the references in place are found when the trace has been read. Windows have
 * stored those that were in place when each container died, and those that are left at the end.
 */
#include "merlin/lives/reference_walk.h"

#include "heap/objects_inline.h"

#include <stdlib.h>

/* Whether the node has died. Sets *tick to the tick of its death if so. */
static bool has_died(const struct reference_walk *walk, node_t node, uint64_t *tick)
{
    if (node == NODE_NONE)
        return false;
    if (walk->deaths) {
        uint64_t last = walk->deaths->last_reached[node];
        *tick = last + 1;
        return last < walk->pass->clock.now;
    }
    const struct input_death *death = &walk->pass->recorders->input_deaths.deaths[node];
    *tick = death->at.tick;
    return death->number > 0;
}

/* Moves to the next container that may have references; false: there are no more. */
static bool next_container(struct reference_walk *walk, bool only_dead)
{
    struct objects *objects = walk->pass->heap.objects;
    size_t count = objects_count(objects), node = walk->container;
    uint64_t tick;
    node += walk->has_begun;
    walk->has_begun = true;
    while (node < count && ((walk->slot = *objects_first_slot(objects, (node_t)node)) == 0 ||
                            (only_dead && !has_died(walk, (node_t)node, &tick))))
        node++;
    walk->container = (node_t)node;
    return node < count;
}

static void set_reference_end(const struct reference_walk *walk, struct reference *reference)
{
    const struct pass *pass = walk->pass;
    uint64_t tick;
    reference->end = REFERENCE_LEFT;
    if (has_died(walk, walk->container, &tick)) {
        reference->end = REFERENCE_DROPPED;
        reference->ended = clock_time(&pass->clock, tick);
    } else if (walk->container != NODE_NONE &&
               objects_is_allocated(pass->heap.objects, walk->container)) {
        reference->end = REFERENCE_KEPT;
    }
}

bool reference_walk_next(struct reference_walk *walk, bool only_dead,
                         struct reference *reference)
{
    const struct heap *heap = &walk->pass->heap;
    node_t target = NODE_NONE;
    *reference = (struct reference){.container = 0};
    while (target == NODE_NONE) {
        if (walk->slot == 0 && !next_container(walk, only_dead))
            return false;
        reference->created = slots_mark(heap->slots, walk->slot);
        slots_look(heap->slots, &walk->slot, &reference->field, &target);
    }
    reference->container = objects_id(heap->objects, walk->container);
    reference->target = objects_id(heap->objects, target);
    set_reference_end(walk, reference);
    return true;
}

struct reference_stream {
    struct reference_walk walk;
    bool survivors_die;
};

enum status reference_stream_open(struct reference_stream **out, const struct pass *pass,
                                  const struct deaths *deaths, bool survivors_die,
                                  struct failure *why)
{
    *out = malloc(sizeof **out);
    if (!*out)
        return fail_memory(why);
    **out = (struct reference_stream){.walk = {.pass = pass, .deaths = deaths},
                                      .survivors_die = survivors_die};
    return STATUS_OK;
}

/* Replaces the nodes of a reference with ids. */
static void name_objects(const struct objects *objects, struct reference *reference)
{
    reference->container = objects_id(objects, (node_t)reference->container);
    reference->target = objects_id(objects, (node_t)reference->target);
}

enum status reference_stream_next(struct reference_stream *stream, struct reference *reference,
                                  struct failure *why)
{
    const struct pass *pass = stream->walk.pass;
    bool is_table = !references_are_by_id(pass->recorders->references);
    enum status status = references_next(pass->recorders->references, reference, why);
    if (is_table && status == STATUS_OK)
        name_objects(pass->heap.objects, reference);
    if (is_table && status == STATUS_END &&
        reference_walk_next(&stream->walk, false, reference))
        status = STATUS_OK;
    if (status != STATUS_OK || reference->end != REFERENCE_KEPT)
        return status;
    reference->end = stream->survivors_die ? REFERENCE_DROPPED : REFERENCE_LEFT;
    if (stream->survivors_die)
        reference->ended = clock_time(&pass->clock, pass->clock.now);
    return STATUS_OK;
}

void reference_stream_close(struct reference_stream *stream)
{
    free(stream);
}
