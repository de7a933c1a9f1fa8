/* SPDX-License-Identifier: MIT */
/* Each recorder looks at the events of a batch in a loop of its own: so that pass 1 asks none
 * of them anything, and a recorder that is not wanted costs nothing. */
#include "merlin/recorders/recorders.h"

#include <stdlib.h>

enum status recorders_open(struct pass *pass, const struct recorders_options *recording,
                           struct failure *why)
{
    struct recorders *recorders = pass->recorders = calloc(1, sizeof *recorders);
    if (!recorders)
        return fail_memory(why);
    recorders->has_allocations = recording->allocations;
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

enum status recorders_see(struct recorders *recorders, const struct seen_batch *seen,
                          struct failure *why)
{
    TRY(uses_see(recorders->uses, seen, why));
    if (recorders->has_allocations)
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

enum status recorders_move(struct recorders *recorders, const struct objects *objects,
                           const node_t *moved, struct failure *why)
{
    size_t nodes = objects_count(objects), count;
    if (recorders->has_allocations)
        TRY(allocations_move(&recorders->allocations, objects_allocations(objects, &count),
                             moved, why));
    uses_move(recorders->uses, moved, nodes);
    if (recorders->paths)
        paths_move(recorders->paths, moved, nodes);
    if (recorders->stores)
        stores_move(recorders->stores, moved, nodes);
    return STATUS_OK;
}

void recorders_free(struct recorders *recorders)
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
