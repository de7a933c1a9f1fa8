/* SPDX-License-Identifier: MIT */
/* What pass 1 keeps of each life for reports: tick and size of its allocation, how often it was
 * used, and how last. Births are kept with the bytes allocated so far, so that sizes and
 * lifetimes in bytes are differences of two of them. */
#include "merlin/life_records.h"

#include "base/bisect.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* As array_grow, but the new items are zeroed. */
static void *grow_zeroed(void *items, size_t *capacity, size_t needed, size_t item_size)
{
    size_t had = items ? *capacity : 0;
    char *grown = array_grow(items, capacity, needed, item_size);
    if (grown && *capacity > had)
        memset(grown + had * item_size, 0, (*capacity - had) * item_size);
    return grown;
}

enum status life_records_reserve(struct life_records *records, size_t nodes,
                                 struct failure *why)
{
    uint8_t *uses = grow_zeroed(records->uses, &records->use_capacity, nodes, sizeof *uses);
    if (!uses)
        return fail_memory(why);
    records->uses = uses;
    if (records->keeps_first_uses &&
        !ARRAY_RESERVE(records->first_uses, records->first_use_capacity, nodes))
        return fail_memory(why);
    return STATUS_OK;
}

enum status fail_bytes(struct failure *why)
{
    return fail(why, STATUS_LIMIT,
                "The trace allocates more than 2^64-1 bytes: reports cannot count them");
}

enum status life_records_birth(struct life_records *records, uint64_t tick, uint64_t size,
                               struct failure *why)
{
    uint64_t bytes = ascending_last(&records->birth_bytes);
    if (__builtin_add_overflow(bytes, size, &bytes))
        return fail_bytes(why);
    enum status status = ascending_add(&records->birth_ticks, tick, why);
    return status == STATUS_OK ? ascending_add(&records->birth_bytes, bytes, why) : status;
}

enum status life_records_prior(struct life_records *records, uint64_t tick, uint64_t size,
                               struct failure *why)
{
    size_t number = records->birth_ticks.count;
    uint64_t bytes = ascending_last(&records->prior_bytes);
    enum status status = life_records_birth(records, tick, size, why);
    if (status == STATUS_OK)
        status = ascending_add(&records->priors, number, why);
    /* The bytes of all objects fit 64 bits, so these do. */
    return status == STATUS_OK ? ascending_add(&records->prior_bytes, bytes + size, why)
                               : status;
}

size_t life_records_find_priors(const struct life_records *records, size_t count)
{
    size_t low = 0, high = records->priors.count;
    BISECT(low, high, at, ascending_at(&records->priors, at) < count);
    return low;
}

uint64_t life_records_clock(const struct life_records *records, size_t count)
{
    if (count == 0)
        return 0;
    size_t priors = life_records_priors(records, count);
    uint64_t bytes = ascending_at(&records->birth_bytes, count - 1);
    return priors == 0 ? bytes : bytes - ascending_at(&records->prior_bytes, priors - 1);
}

static void free_births(struct life_records *records)
{
    ascending_free(&records->birth_ticks);
    ascending_free(&records->birth_bytes);
    ascending_free(&records->priors);
    ascending_free(&records->prior_bytes);
}

/* Keeps the births of nodes that stay. */
static enum status move_births(struct life_records *records, const node_t *allocations,
                               const node_t *moved, struct failure *why)
{
    struct life_records staying = {.uses = NULL};
    enum status status = STATUS_OK;
    size_t prior = 0;
    for (size_t i = 0; i < records->birth_ticks.count && status == STATUS_OK; i++) {
        bool is_prior =
            prior < records->priors.count && ascending_at(&records->priors, prior) == i;
        prior += is_prior;
        if (moved[allocations[i]] == NODE_NONE)
            continue;
        uint64_t tick = ascending_at(&records->birth_ticks, i);
        uint64_t size = life_records_size(records, i);
        status = is_prior ? life_records_prior(&staying, tick, size, why)
                          : life_records_birth(&staying, tick, size, why);
    }
    free_births(status == STATUS_OK ? records : &staying);
    if (status == STATUS_OK) {
        records->birth_ticks = staying.birth_ticks;
        records->birth_bytes = staying.birth_bytes;
        records->priors = staying.priors;
        records->prior_bytes = staying.prior_bytes;
    }
    return status;
}

enum status life_records_move(struct life_records *records, const node_t *allocations,
                              const node_t *moved, size_t nodes, struct failure *why)
{
    size_t staying = 1;
    for (size_t node = 1; node < nodes; node++) {
        if (moved[node] == NODE_NONE)
            continue;
        if (records->first_uses)
            records->first_uses[staying] = records->first_uses[node];
        records->uses[staying++] = records->uses[node];
    }
    memset(records->uses + staying, 0, nodes - staying);
    return move_births(records, allocations, moved, why);
}

void life_records_free(struct life_records *records)
{
    free(records->uses);
    free_births(records);
    free(records->first_uses);
    *records = (struct life_records){.uses = NULL};
}
