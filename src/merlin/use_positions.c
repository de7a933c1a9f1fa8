/* SPDX-License-Identifier: MIT */
/* There is one position for each node, overwritten at each use. Counting allocations by thread
 * takes an array that grows with the number of threads, and nothing where another kind is
 * wanted. */
#include "merlin/recorders/uses.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct use_positions {
    enum use_position_kind kind;
    uint64_t *counts; /* by node */
    size_t count_capacity;
    uint32_t *users; /* threads by node; NULL unless allocations are counted by thread */
    size_t user_capacity;
    uint64_t allocations;
    uint64_t *by_thread; /* allocations of each thread; 0 from number `threads` on */
    size_t threads, thread_capacity;
};

enum status use_positions_new(struct use_positions **out, enum use_position_kind kind,
                              struct failure *why)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return fail_memory(why);
    (*out)->kind = kind;
    return STATUS_OK;
}

enum status use_positions_reserve(struct use_positions *positions, size_t nodes,
                                  struct failure *why)
{
    if (!ARRAY_RESERVE(positions->counts, positions->count_capacity, nodes))
        return fail_memory(why);
    if (positions->kind != USE_POSITION_THREAD_ALLOCATIONS)
        return STATUS_OK;
    return ARRAY_RESERVE(positions->users, positions->user_capacity, nodes) ? STATUS_OK
                                                                            : fail_memory(why);
}

enum status use_positions_allocate(struct use_positions *positions, uint32_t thread,
                                   struct failure *why)
{
    positions->allocations++;
    if (positions->kind != USE_POSITION_THREAD_ALLOCATIONS)
        return STATUS_OK;
    if (thread >= positions->threads) {
        if (!ARRAY_RESERVE(positions->by_thread, positions->thread_capacity,
                           (size_t)thread + 1))
            return fail_memory(why);
        uint64_t *more = positions->by_thread;
        memset(more + positions->threads, 0, (thread + 1 - positions->threads) * sizeof *more);
        positions->threads = (size_t)thread + 1;
    }
    positions->by_thread[thread]++;
    return STATUS_OK;
}

static uint64_t count_now(const struct use_positions *positions, uint64_t record,
                          uint32_t thread)
{
    switch (positions->kind) {
    case USE_POSITION_RECORDS:
        return record;
    case USE_POSITION_ALLOCATIONS:
        return positions->allocations;
    case USE_POSITION_THREAD_ALLOCATIONS:
        break;
    }
    return thread < positions->threads ? positions->by_thread[thread] : 0;
}

void use_positions_note(struct use_positions *positions, node_t node, uint64_t record,
                        uint32_t thread)
{
    positions->counts[node] = count_now(positions, record, thread);
    if (positions->users)
        positions->users[node] = thread;
}

void use_positions_keep_held(struct use_positions *positions, const struct frames *frames)
{
    for (size_t holder = 0; holder < frames_holder_count(frames); holder++) {
        size_t count;
        const node_t *held = frames_held(frames, frames_holder(frames, holder), &count);
        for (size_t i = 0; i < count; i++)
            positions->counts[held[i]] = USE_POSITION_END;
    }
}

void use_positions_move(struct use_positions *positions, const node_t *moved, size_t nodes)
{
    for (size_t node = 1; node < nodes; node++) {
        if (moved[node] == NODE_NONE)
            continue;
        positions->counts[moved[node]] = positions->counts[node];
        if (positions->users)
            positions->users[moved[node]] = positions->users[node];
    }
}

struct use_position use_positions_find(const struct use_positions *positions, node_t node)
{
    return (struct use_position){positions->counts[node],
                                 positions->users ? positions->users[node] : 0};
}

void use_positions_free(struct use_positions *positions)
{
    if (!positions)
        return;
    free(positions->counts);
    free(positions->users);
    free(positions->by_thread);
    free(positions);
}
