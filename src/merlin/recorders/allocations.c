/* SPDX-License-Identifier: MIT */
/* Sizes are kept with the bytes allocated so far, so that sizes and lifetimes in bytes are
 * differences of two of them. Types, sites and lengths are small numbers in nearly all traces.
 */
#include "merlin/recorders/allocations.h"

#include "base/memory.h"

#include <stdlib.h>

enum status fail_bytes(struct failure *why)
{
    return fail(why, STATUS_LIMIT,
                "The trace allocates more than 2^64-1 bytes: reports cannot count them");
}

enum status allocations_add(struct allocations *allocations, uint64_t tick, uint64_t size,
                            bool is_prior, struct failure *why)
{
    size_t number = allocations->ticks.count;
    uint64_t bytes = ascending_last(&allocations->bytes);
    uint64_t prior_bytes = ascending_last(&allocations->prior_bytes);
    if (__builtin_add_overflow(bytes, size, &bytes))
        return fail_bytes(why);
    TRY(ascending_add(&allocations->ticks, tick, why));
    TRY(ascending_add(&allocations->bytes, bytes, why));
    if (!is_prior)
        return STATUS_OK;
    TRY(ascending_add(&allocations->priors, number, why));
    /* The bytes of all objects fit 64 bits, so these do. */
    return ascending_add(&allocations->prior_bytes, prior_bytes + size, why);
}

/* Adds what the record of an allocation says, which is in line `line` of the input. */
static enum status add_contents(struct allocations *allocations, const struct record *record,
                                uint64_t line, struct failure *why)
{
    size_t number = allocations->types.count;
    if (!ARRAY_RESERVE(allocations->kinds, allocations->kind_capacity, number + 1))
        return fail_memory(why);
    allocations->kinds[number] = record->kind;
    TRY(narrow_add(&allocations->types, record->type, why));
    TRY(narrow_add(&allocations->sites, record->site, why));
    TRY(narrow_add(&allocations->lengths, record->length, why));
    return narrow_add(&allocations->lines, line, why);
}

enum status allocations_see(struct allocations *allocations, const struct seen_batch *seen,
                            struct failure *why)
{
    for (size_t i = 0; i < seen->events->birth_count; i++) {
        const struct seen_event *event = &seen->events->items[seen->events->births[i]];
        const struct record *record = seen_record(seen, event);
        uint64_t size = allocations->without_sizes ? 0 : record->size;
        TRY(allocations_add(allocations, event->tick, size, record_is_prior(record->kind),
                            why));
        TRY(add_contents(allocations, record, seen->batch->first_line + record->line, why));
    }
    return STATUS_OK;
}

size_t allocations_find_priors(const struct allocations *allocations, size_t count)
{
    size_t low = 0, high = allocations->priors.count;
    BISECT(low, high, at, ascending_at(&allocations->priors, at) < count);
    return low;
}

uint64_t allocations_clock(const struct allocations *allocations, size_t count)
{
    if (count == 0)
        return 0;
    size_t priors = allocations_priors(allocations, count);
    uint64_t bytes = ascending_at(&allocations->bytes, count - 1);
    return priors == 0 ? bytes : bytes - ascending_at(&allocations->prior_bytes, priors - 1);
}

/* Adds allocation number `i` of `from`. */
static enum status move_allocation(struct allocations *to, const struct allocations *from,
                                   size_t i, struct failure *why)
{
    const struct record record = {
        .kind = from->kinds[i],
        .type = narrow_at(&from->types, i),
        .site = narrow_at(&from->sites, i),
        .length = narrow_at(&from->lengths, i),
    };
    TRY(allocations_add(to, ascending_at(&from->ticks, i), allocations_size(from, i),
                        record_is_prior(record.kind), why));
    return add_contents(to, &record, narrow_at(&from->lines, i), why);
}

enum status allocations_move(struct allocations *allocations, const node_t *nodes,
                             const node_t *moved, struct failure *why)
{
    struct allocations staying = {.without_sizes = allocations->without_sizes};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < allocations->ticks.count && status == STATUS_OK; i++)
        if (moved[nodes[i]] != NODE_NONE)
            status = move_allocation(&staying, allocations, i, why);
    allocations_free(status == STATUS_OK ? allocations : &staying);
    if (status == STATUS_OK)
        *allocations = staying;
    return status;
}

void allocations_free(struct allocations *allocations)
{
    ascending_free(&allocations->ticks);
    ascending_free(&allocations->bytes);
    ascending_free(&allocations->priors);
    ascending_free(&allocations->prior_bytes);
    narrow_free(&allocations->types);
    narrow_free(&allocations->sites);
    narrow_free(&allocations->lengths);
    narrow_free(&allocations->lines);
    free(allocations->kinds);
    *allocations = (struct allocations){.kinds = NULL};
}
