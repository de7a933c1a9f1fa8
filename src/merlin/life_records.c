/* SPDX-License-Identifier: MIT */
/* What the first reading keeps of each life for the reports, beyond what deaths need: tick and
 * size of its allocation, how often it was used and by what last. Births are kept with the
 * bytes allocated so far, so that sizes and lifetimes in bytes are differences of two of them.
 */
#include "merlin/life_records.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of an array that array_grow has added since it had room for `had` are zeroed. */
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
    if (records->keeps_first_uses) {
        uint64_t *first_uses = array_grow(records->first_uses, &records->first_use_capacity,
                                          nodes, sizeof *first_uses);
        if (!first_uses)
            return fail_memory(why);
        records->first_uses = first_uses;
    }
    if (!records->keeps_deaths)
        return STATUS_OK;
    struct life_death *deaths =
        grow_zeroed(records->deaths, &records->death_capacity, nodes, sizeof *deaths);
    if (!deaths)
        return fail_memory(why);
    records->deaths = deaths;
    return STATUS_OK;
}

enum status fail_bytes(struct failure *why)
{
    return fail(why, STATUS_LIMIT,
                "The trace allocates more than 2^64-1 bytes: no report can count them");
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

void life_records_repeat(struct life_records *records, node_t node, node_t before)
{
    struct life_death *death = &records->deaths[before];
    records->deaths[node].older = death->is_dead ? death->older : before;
    if (death->is_dead)
        death->older = NODE_NONE;
}

/* Gives a death to the latest older allocation that has none, if there is one. */
static bool kill_older(struct life_records *records, node_t node, uint64_t tick)
{
    node_t older = records->deaths[node].older;
    if (older == NODE_NONE)
        return false;
    records->deaths[node].older = records->deaths[older].older;
    records->deaths[older] = (struct life_death){.tick = tick, .is_dead = true};
    return true;
}

void life_records_die(struct life_records *records, node_t node, uint64_t tick)
{
    struct life_death *death = &records->deaths[node];
    if (death->is_dead) {
        kill_older(records, node, tick);
        return;
    }
    death->tick = tick;
    death->is_dead = true;
}

void life_records_revive(struct life_records *records, node_t node)
{
    struct life_death *death = &records->deaths[node];
    if (death->is_dead && kill_older(records, node, death->tick))
        death->is_dead = false;
}

/* Keeps of the births those of nodes that stay. */
static enum status move_births(struct life_records *records, const node_t *allocations,
                               const node_t *moved, struct failure *why)
{
    struct life_records staying = {.uses = NULL};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < records->birth_ticks.count && status == STATUS_OK; i++)
        if (moved[allocations[i]] != NODE_NONE)
            status = life_records_birth(&staying, ascending_at(&records->birth_ticks, i),
                                        life_records_size(records, i), why);
    struct life_records *unwanted = status == STATUS_OK ? records : &staying;
    ascending_free(&unwanted->birth_ticks);
    ascending_free(&unwanted->birth_bytes);
    if (status == STATUS_OK) {
        records->birth_ticks = staying.birth_ticks;
        records->birth_bytes = staying.birth_bytes;
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
    ascending_free(&records->birth_ticks);
    ascending_free(&records->birth_bytes);
    free(records->first_uses);
    free(records->deaths);
    *records = (struct life_records){.uses = NULL};
}
