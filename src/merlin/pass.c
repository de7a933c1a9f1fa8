/* SPDX-License-Identifier: MIT */
/* A batch is applied as a whole before recorders see it, so that the loop over its records is
 * as small as without them. */
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
    pass->counts.comments += batch->comments;
    pass->counts.unknown += batch->unknown;
    pass->counts.malformed += batch->malformed;
    return STATUS_OK;
}

enum status pass_move(struct pass *pass, const node_t *moved, struct failure *why)
{
    if (pass->recorders)
        TRY(recorders_move(pass->recorders, pass->heap.objects, moved, why));
    return heap_move(&pass->heap, moved, why);
}

void pass_free(struct pass *pass)
{
    heap_free(&pass->heap);
    clock_free(&pass->clock);
    recorders_free(pass->recorders);
    pass->recorders = NULL;
}
