/* SPDX-License-Identifier: MIT */
/* All of it is in arrays by node, which each use overwrites. What only some reports want is
 * recorded in a loop of its own, so that the others do not ask for it at each use. */
#include "merlin/recorders/uses.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct uses {
    struct uses_options options;
    size_t nodes;    /* that there is room for */
    uint8_t *counts; /* 4 times how many, up to USES_MAX, plus what the last one was */
    size_t count_capacity;
    uint64_t *first_uses;
    size_t first_use_capacity;
    struct proof *proofs;
    size_t proof_capacity;
    uint64_t *lost_fields;
    size_t lost_field_capacity;
    /* Positions: */
    uint64_t *positions;
    size_t position_capacity;
    uint32_t *users; /* threads; NULL unless allocations are counted by thread */
    size_t user_capacity;
    uint64_t allocations;
    uint64_t *by_thread; /* allocations of each thread; 0 from number `threads` on */
    size_t threads, thread_capacity;
};

/* Makes room for the nodes below `nodes`. */
static enum status reserve(struct uses *uses, size_t nodes, struct failure *why)
{
    const struct uses_options *options = &uses->options;
    bool by_thread = options->positions == USE_POSITION_THREAD_ALLOCATIONS;
    if (nodes <= uses->nodes)
        return STATUS_OK;
    if ((options->first_uses &&
         !ARRAY_RESERVE(uses->first_uses, uses->first_use_capacity, nodes)) ||
        (options->proofs && !ARRAY_RESERVE(uses->proofs, uses->proof_capacity, nodes)) ||
        (options->lost_fields &&
         !ARRAY_RESERVE(uses->lost_fields, uses->lost_field_capacity, nodes)) ||
        (options->positions != USE_POSITION_NONE &&
         !ARRAY_RESERVE(uses->positions, uses->position_capacity, nodes)) ||
        (by_thread && !ARRAY_RESERVE(uses->users, uses->user_capacity, nodes)) ||
        !ARRAY_LENGTHEN(uses->counts, uses->nodes, uses->count_capacity, nodes))
        return fail_memory(why);
    return STATUS_OK;
}

enum status uses_new(struct uses **out, const struct uses_options *options, struct failure *why)
{
    struct uses *uses = calloc(1, sizeof *uses);
    if (!uses)
        return fail_memory(why);
    uses->options = *options;
    enum status status = reserve(uses, 1, why); /* null */
    if (status == STATUS_OK)
        *out = uses;
    else
        uses_free(uses);
    return status;
}

/* `first_uses` may be NULL. Local copies of the arrays: bytes might alias all that `uses` has.
 */
static void count_uses(uint8_t *counts, uint64_t *first_uses, const struct seen_events *events)
{
    const struct seen_event *end = events->items + events->count;
    for (const struct seen_event *event = events->items; event < end; event++) {
        if (event->kind != SEEN_USE)
            continue;
        unsigned count = counts[event->node] & ~3u;
        if (count == 4 && event->how != USE_POPPED && first_uses)
            first_uses[event->node] = event->tick;
        if (event->how != USE_POPPED && count < 4u * USES_MAX)
            count += 4;
        counts[event->node] = (uint8_t)(count | event->how);
    }
}

static void see_proofs(struct uses *uses, const struct seen_batch *seen)
{
    uint64_t deaths = 0;
    for (size_t i = 0; i < seen->events->count; i++) {
        const struct seen_event *event = &seen->events->items[i];
        deaths += event->kind == SEEN_DEATH;
        if (event->kind == SEEN_USE && event->how != USE_POPPED)
            uses->proofs[event->node] =
                (struct proof){seen_number(seen, event, deaths), event->tick};
    }
}

static void see_lost_fields(struct uses *uses, const struct seen_batch *seen)
{
    for (size_t i = 0; i < seen->events->count; i++) {
        const struct seen_event *event = &seen->events->items[i];
        if (event->kind == SEEN_USE &&
            (event->how == USE_OVERWRITTEN || event->how == USE_STATIC))
            uses->lost_fields[event->node] = seen_record(seen, event)->field;
    }
}

/* Counts an allocation of a thread. */
static enum status count_allocation(struct uses *uses, uint32_t thread, struct failure *why)
{
    uses->allocations++;
    if (uses->options.positions != USE_POSITION_THREAD_ALLOCATIONS)
        return STATUS_OK;
    if (!ARRAY_LENGTHEN(uses->by_thread, uses->threads, uses->thread_capacity,
                        (size_t)thread + 1))
        return fail_memory(why);
    uses->by_thread[thread]++;
    return STATUS_OK;
}

/* The count that is the position of a use; `number` is that of its record. */
static uint64_t position_now(const struct uses *uses, uint64_t number, uint32_t thread)
{
    switch (uses->options.positions) {
    case USE_POSITION_NONE:
    case USE_POSITION_RECORDS:
        return number;
    case USE_POSITION_ALLOCATIONS:
        return uses->allocations;
    case USE_POSITION_THREAD_ALLOCATIONS:
        break;
    }
    return thread < uses->threads ? uses->by_thread[thread] : 0;
}

static enum status see_positions(struct uses *uses, const struct seen_batch *seen,
                                 struct failure *why)
{
    uint64_t deaths = 0;
    uint32_t thread = NO_THREAD;
    for (size_t i = 0; i < seen->events->count; i++) {
        const struct seen_event *event = &seen->events->items[i];
        deaths += event->kind == SEEN_DEATH;
        if (event->kind == SEEN_THREAD)
            thread = (uint32_t)event->number;
        if (event->kind == SEEN_BIRTH && !record_is_prior(seen_record(seen, event)->kind))
            TRY(count_allocation(uses, thread, why));
        if (event->kind != SEEN_USE)
            continue;
        uses->positions[event->node] =
            position_now(uses, seen_number(seen, event, deaths), thread);
        if (uses->users)
            uses->users[event->node] = thread;
    }
    return STATUS_OK;
}

enum status uses_see(struct uses *uses, const struct seen_batch *seen, struct failure *why)
{
    TRY(reserve(uses, seen->nodes, why));
    count_uses(uses->counts, uses->first_uses, seen->events);
    if (uses->proofs)
        see_proofs(uses, seen);
    if (uses->lost_fields)
        see_lost_fields(uses, seen);
    return uses->positions ? see_positions(uses, seen, why) : STATUS_OK;
}

enum use uses_last(const struct uses *uses, node_t node)
{
    return (enum use)(uses->counts[node] & 3);
}

unsigned uses_count(const struct uses *uses, node_t node)
{
    return uses->counts[node] >> 2;
}

const struct proof *uses_proofs(const struct uses *uses)
{
    return uses->proofs;
}

const uint64_t *uses_first(const struct uses *uses)
{
    return uses->first_uses;
}

const uint64_t *uses_lost_fields(const struct uses *uses)
{
    return uses->lost_fields;
}

bool uses_have_positions(const struct uses *uses)
{
    return uses->positions;
}

struct use_position uses_position(const struct uses *uses, node_t node)
{
    return (struct use_position){uses->positions[node], uses->users ? uses->users[node] : 0};
}

void uses_keep_held(struct uses *uses, const struct frames *frames)
{
    for (size_t holder = 0; uses->positions && holder < frames_holder_count(frames); holder++) {
        size_t count;
        const node_t *held = frames_held(frames, frames_holder(frames, holder), &count);
        for (size_t i = 0; i < count; i++)
            uses->positions[held[i]] = USE_POSITION_END;
    }
}

/* Moves what is recorded of `node` to node `to`, which is not after it. */
static void move_node(struct uses *uses, size_t node, node_t to)
{
    uses->counts[to] = uses->counts[node];
    if (uses->first_uses)
        uses->first_uses[to] = uses->first_uses[node];
    if (uses->proofs)
        uses->proofs[to] = uses->proofs[node];
    if (uses->lost_fields)
        uses->lost_fields[to] = uses->lost_fields[node];
    if (uses->positions)
        uses->positions[to] = uses->positions[node];
    if (uses->users)
        uses->users[to] = uses->users[node];
}

void uses_move(struct uses *uses, const node_t *moved, size_t nodes)
{
    size_t staying = 1;
    for (size_t node = 1; node < nodes; node++) {
        if (moved[node] == NODE_NONE)
            continue;
        move_node(uses, node, moved[node]);
        staying++;
    }
    memset(uses->counts + staying, 0, nodes - staying);
}

void uses_free(struct uses *uses)
{
    if (!uses)
        return;
    free(uses->counts);
    free(uses->first_uses);
    free(uses->proofs);
    free(uses->lost_fields);
    free(uses->positions);
    free(uses->users);
    free(uses->by_thread);
    free(uses);
}
