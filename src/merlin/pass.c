/* SPDX-License-Identifier: MIT */
/* A batch is applied as a whole before recorders see it, so that the loop over its records is
 * as small as without them. Each recorder looks at the events of the batch in a loop of its
 * own: so pass 1 asks none of them anything, and one that is not wanted costs nothing. */
#include "merlin/pass.h"

#include <stdlib.h>

/* The most events whose room is kept for the next batch: a frame that is popped may have held
 * millions of objects. */
enum { EVENTS_KEPT = 1 << 20 };

enum status pass_init(struct pass *pass, enum held_by held_by, bool explicit_time,
                      struct failure *why)
{
    *pass = (struct pass){
        .held_by = held_by,
        .explicit_time = explicit_time,
        .thread.number = NO_THREAD,
    };
    return heap_init(&pass->heap, why);
}

enum status recorders_open(struct pass *pass, const struct recorders_options *recording,
                           struct failure *why)
{
    struct recorders *recorders = pass->recorders = calloc(1, sizeof *recorders);
    if (!recorders)
        return fail_memory(why);
    recorders->allocations.without_sizes = recording->without_sizes;
    recorders->events.has_deaths = recording->input_deaths;
    TRY(uses_new(&recorders->uses, &recording->uses, why));
    if (recording->paths)
        TRY(paths_new(&recorders->paths, &recording->path_details, why));
    if (recording->stores)
        TRY(stores_open(&recorders->stores, &recording->temporary, why));
    recorders->events.has_stores = recording->stores;
    if (!recording->references)
        return STATUS_OK;
    recorders->events.has_replaced = true;
    TRY(slots_keep_marks(pass->heap.slots, why));
    return references_open(&recorders->references, recording->has_windows,
                           &recording->temporary, why);
}

static enum status recorders_see(struct recorders *recorders, const struct seen_batch *seen,
                                 struct failure *why)
{
    TRY(uses_see(recorders->uses, seen, why));
    TRY(allocations_see(&recorders->allocations, seen, why));
    if (recorders->paths)
        TRY(paths_see(recorders->paths, seen, why));
    if (recorders->events.has_deaths)
        TRY(input_deaths_see(&recorders->input_deaths, seen, why));
    if (recorders->references)
        TRY(references_see(recorders->references, seen, why));
    if (recorders->stores)
        TRY(stores_see(recorders->stores, seen, why));
    return STATUS_OK;
}

enum status pass_add_some(struct pass *pass, const struct batch *batch, size_t first,
                          size_t end, struct failure *why)
{
    struct recorders *recorders = pass->recorders;
    if (!recorders)
        return apply(pass, batch, first, end, NULL, why);
    struct seen_batch seen = {
        .pass = pass,
        .batch = batch,
        .events = &recorders->events,
        .first = first,
        .end = end,
        .record = pass->record,
    };
    struct seen_events *events = &recorders->events;
    TRY(apply(pass, batch, first, end, events, why));
    seen.nodes = objects_count(pass->heap.objects);
    TRY(recorders_see(recorders, &seen, why));
    if (events->capacity > EVENTS_KEPT) {
        free(events->items);
        events->items = NULL;
        events->capacity = 0;
    }
    return STATUS_OK;
}

enum status pass_add(struct pass *pass, const struct batch *batch, struct failure *why)
{
    TRY(pass_add_some(pass, batch, 0, batch->count, why));
    trace_counts_lines(&pass->counts, batch);
    return STATUS_OK;
}

/* To be called before heap_move, with what is given to it. */
static enum status recorders_move(struct recorders *recorders, const struct objects *objects,
                                  const node_t *moved, struct failure *why)
{
    size_t nodes = objects_count(objects), count;
    TRY(allocations_move(&recorders->allocations, objects_allocations(objects, &count), moved,
                         why));
    uses_move(recorders->uses, moved, nodes);
    if (recorders->paths)
        paths_move(recorders->paths, moved, nodes);
    if (recorders->stores)
        stores_move(recorders->stores, moved, nodes);
    return STATUS_OK;
}

enum status pass_move(struct pass *pass, const node_t *moved, struct failure *why)
{
    if (pass->recorders)
        TRY(recorders_move(pass->recorders, pass->heap.objects, moved, why));
    return heap_move(&pass->heap, moved, why);
}

static void recorders_free(struct recorders *recorders)
{
    if (!recorders)
        return;
    free(recorders->events.items);
    free(recorders->events.births);
    allocations_free(&recorders->allocations);
    input_deaths_free(&recorders->input_deaths);
    uses_free(recorders->uses);
    paths_free(recorders->paths);
    references_close(recorders->references);
    stores_close(recorders->stores);
    free(recorders);
}

void pass_free(struct pass *pass)
{
    heap_free(&pass->heap);
    clock_free(&pass->clock);
    recorders_free(pass->recorders);
    pass->recorders = NULL;
}
