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
    if (!records->keeps_deaths)
        return STATUS_OK;
    struct life_death *deaths =
        grow_zeroed(records->deaths, &records->death_capacity, nodes, sizeof *deaths);
    if (!deaths)
        return fail_memory(why);
    records->deaths = deaths;
    if (records->by_position) {
        deaths = grow_zeroed(records->by_position, &records->by_position_capacity, nodes,
                             sizeof *deaths);
        if (!deaths)
            return fail_memory(why);
        records->by_position = deaths;
    }
    return ARRAY_RESERVE(records->births, records->birth_capacity, nodes) ? STATUS_OK
                                                                          : fail_memory(why);
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

/* Moves `death` to the latest older allocation that has none; false: there is no such
 * allocation. */
static bool kill_older(struct life_death *deaths, node_t node, struct life_death death)
{
    node_t older = deaths[node].older;
    if (older == NODE_NONE)
        return false;
    deaths[node].older = deaths[older].older;
    death.older = NODE_NONE;
    deaths[older] = death;
    return true;
}

enum status life_records_death_position(struct life_records *records, uint64_t tick,
                                        uint64_t others, struct failure *why)
{
    if (records->positions.count == 0)
        records->first_death = others;
    return ascending_add(&records->positions, tick, why);
}

static void give_death(struct life_death *deaths, node_t node, uint64_t tick, uint64_t number)
{
    struct life_death *death = &deaths[node];
    struct life_death next = {tick, number, death->older, true};
    if (death->is_dead)
        kill_older(deaths, node, next);
    else
        *death = next;
}

/* By node, the latest death first. */
static int compare_late(const void *left, const void *right)
{
    const struct late_death *a = left, *b = right;
    if (a->node != b->node)
        return a->node < b->node ? -1 : 1;
    if (a->tick != b->tick)
        return a->tick < b->tick ? 1 : -1;
    return (a->number < b->number) - (a->number > b->number);
}

/* Gives a death to the latest allocation before it. *link: where the list of older allocations
 * goes on with those that are not known to come too late; it moves on. */
static void give_late_death(struct life_records *records, const struct late_death *late,
                            node_t **link)
{
    if (!records->deaths[late->node].is_dead && records->births[late->node] < late->tick) {
        give_death(records->deaths, late->node, late->tick, late->number);
        return;
    }
    while (**link != NODE_NONE && records->births[**link] >= late->tick)
        *link = &records->deaths[**link].older;
    node_t older = **link;
    if (older == NODE_NONE) {
        give_death(records->deaths, late->node, late->tick, late->number);
        return;
    }
    **link = records->deaths[older].older;
    records->deaths[older] =
        (struct life_death){late->tick, late->number, NODE_NONE, .is_dead = true};
}

/* An allocation that comes after a death comes after the next ones of its id, which are
 * earlier, too: the list of an id is walked only once. */
void life_records_settle(struct life_records *records)
{
    size_t count = records->late_count;
    node_t *link = NULL;
    records->late_count = 0;
    if (count > 1)
        qsort(records->late, count, sizeof *records->late, compare_late);
    for (size_t i = 0; i < count; i++) {
        const struct late_death *late = &records->late[i];
        if (i == 0 || late->node != late[-1].node)
            link = &records->deaths[late->node].older;
        give_late_death(records, late, &link);
    }
}

void life_records_die(struct life_records *records, node_t node, uint64_t tick, uint64_t number)
{
    life_records_settle(records);
    give_death(records->deaths, node, tick, number);
    if (records->by_position)
        give_death(records->by_position, node, tick, number);
}

/* Makes records->by_position: up to now, no death has been late. */
static enum status copy_deaths(struct life_records *records, struct failure *why)
{
    struct life_death *copy = grow_zeroed(NULL, &records->by_position_capacity,
                                          records->death_capacity, sizeof *copy);
    if (!copy)
        return fail_memory(why);
    memcpy(copy, records->deaths, records->death_capacity * sizeof *copy);
    records->by_position = copy;
    return STATUS_OK;
}

void life_records_take_positions(struct life_records *records)
{
    records->late_count = 0;
    if (!records->by_position)
        return;
    free(records->deaths);
    records->deaths = records->by_position;
    records->death_capacity = records->by_position_capacity;
    records->by_position = NULL;
}

enum status life_records_die_late(struct life_records *records, node_t node, uint64_t tick,
                                  uint64_t number, struct failure *why)
{
    enum status status = records->by_position ? STATUS_OK : copy_deaths(records, why);
    if (status != STATUS_OK)
        return status;
    if (!ARRAY_RESERVE(records->late, records->late_capacity, records->late_count + 1))
        return fail_memory(why);
    records->late[records->late_count++] = (struct late_death){tick, number, node};
    give_death(records->by_position, node, tick, number);
    return STATUS_OK;
}

static void repeat_in(struct life_death *deaths, node_t node, node_t before)
{
    struct life_death *death = &deaths[before];
    deaths[node].older = death->is_dead ? death->older : before;
    if (death->is_dead)
        death->older = NODE_NONE;
}

void life_records_repeat(struct life_records *records, node_t node, node_t before)
{
    life_records_settle(records);
    repeat_in(records->deaths, node, before);
    if (records->by_position)
        repeat_in(records->by_position, node, before);
}

static void revive_in(struct life_death *deaths, node_t node)
{
    struct life_death *death = &deaths[node];
    if (death->is_dead && kill_older(deaths, node, *death))
        death->is_dead = false;
}

void life_records_revive(struct life_records *records, node_t node)
{
    life_records_settle(records);
    revive_in(records->deaths, node);
    if (records->by_position)
        revive_in(records->by_position, node);
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
    free(records->deaths);
    free(records->by_position);
    free(records->births);
    free(records->late);
    ascending_free(&records->positions);
    *records = (struct life_records){.uses = NULL};
}
