/* SPDX-License-Identifier: MIT */
/* One place a node, written over at each use. Counting allocations by thread takes an array
 * that grows with the number of threads, and nothing where another kind is wanted. */
#include "merlin/use_places.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct use_places {
    enum use_place_kind kind;
    uint64_t *counts; /* by node */
    size_t count_capacity;
    uint32_t *users; /* by node, the thread; NULL unless allocations are counted by thread */
    size_t user_capacity;
    uint64_t allocations;
    uint64_t *by_thread; /* allocations of each; 0 beyond `threads` */
    size_t threads, thread_capacity;
};

enum status use_places_new(struct use_places **out, enum use_place_kind kind,
                           struct failure *why)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return fail_memory(why);
    (*out)->kind = kind;
    return STATUS_OK;
}

enum status use_places_reserve(struct use_places *places, size_t nodes, struct failure *why)
{
    if (!ARRAY_RESERVE(places->counts, places->count_capacity, nodes))
        return fail_memory(why);
    if (places->kind != USE_PLACE_THREAD_ALLOCATIONS)
        return STATUS_OK;
    return ARRAY_RESERVE(places->users, places->user_capacity, nodes) ? STATUS_OK
                                                                      : fail_memory(why);
}

enum status use_places_allocate(struct use_places *places, uint32_t thread, struct failure *why)
{
    places->allocations++;
    if (places->kind != USE_PLACE_THREAD_ALLOCATIONS)
        return STATUS_OK;
    if (thread >= places->threads) {
        if (!ARRAY_RESERVE(places->by_thread, places->thread_capacity, (size_t)thread + 1))
            return fail_memory(why);
        uint64_t *more = places->by_thread;
        memset(more + places->threads, 0, (thread + 1 - places->threads) * sizeof *more);
        places->threads = (size_t)thread + 1;
    }
    places->by_thread[thread]++;
    return STATUS_OK;
}

static uint64_t count_now(const struct use_places *places, uint64_t record, uint32_t thread)
{
    switch (places->kind) {
    case USE_PLACE_RECORDS:
        return record;
    case USE_PLACE_ALLOCATIONS:
        return places->allocations;
    case USE_PLACE_THREAD_ALLOCATIONS:
        break;
    }
    return thread < places->threads ? places->by_thread[thread] : 0;
}

void use_places_note(struct use_places *places, node_t node, uint64_t record, uint32_t thread)
{
    places->counts[node] = count_now(places, record, thread);
    if (places->users)
        places->users[node] = thread;
}

void use_places_keep_held(struct use_places *places, const struct frames *frames)
{
    for (size_t holder = 0; holder < frames_holder_count(frames); holder++) {
        size_t count;
        const node_t *held = frames_held(frames, frames_holder(frames, holder), &count);
        for (size_t i = 0; i < count; i++)
            places->counts[held[i]] = USE_PLACE_END;
    }
}

void use_places_move(struct use_places *places, const node_t *moved, size_t nodes)
{
    for (size_t node = 1; node < nodes; node++) {
        if (moved[node] == NODE_NONE)
            continue;
        places->counts[moved[node]] = places->counts[node];
        if (places->users)
            places->users[moved[node]] = places->users[node];
    }
}

struct use_place use_places_find(const struct use_places *places, node_t node)
{
    return (struct use_place){places->counts[node], places->users ? places->users[node] : 0};
}

void use_places_free(struct use_places *places)
{
    if (!places)
        return;
    free(places->counts);
    free(places->users);
    free(places->by_thread);
    free(places);
}
