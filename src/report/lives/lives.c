/* SPDX-License-Identifier: MIT */
/* Nearly all that a life is made of stands in arrays of the passes already. Added is
 * what leads from nodes to allocations, and for recorded deaths their order. */
#include "report/lives/lives.h"

#include "base/memory.h"
#include "merlin/sort.h"

#include <stdlib.h>

struct lives {
    const struct history *history;
    const struct deaths *deaths; /* NULL: they are recorded */
    struct causes causes;        /* of computed deaths */
    enum at_end at_end;
    const node_t *nodes; /* by allocation */
    size_t count;
    node_t *allocations; /* by node */
    struct ascending_index births;
    const node_t *dead; /* at boundaries, by tick, then by allocation */
    size_t dead_count;
    node_t *dead_recorded; /* owned */
    const node_t *ids;     /* by node; NULL: those of the trace */
};

/* An empty lives of `history`. */
static enum status lives_new(struct lives **out, const struct history *history,
                             struct failure *why)
{
    const struct objects *objects = history->heap.objects;
    struct lives *lives = calloc(1, sizeof *lives);
    if (!lives)
        return fail_memory(why);
    lives->history = history;
    lives->nodes = objects_allocations(objects, &lives->count);
    lives->allocations = array_new(objects_count(objects), sizeof *lives->allocations);
    if (!lives->allocations) {
        lives_close(lives);
        return fail_memory(why);
    }
    for (size_t i = 0; i < lives->count; i++)
        lives->allocations[lives->nodes[i]] = (node_t)i;
    enum status status =
        ascending_index_make(&lives->births, &history->life_records.birth_ticks, why);
    if (status == STATUS_OK)
        *out = lives;
    else
        lives_close(lives);
    return status;
}

enum status lives_open(struct lives **out, const struct deaths *deaths, enum at_end at_end,
                       struct failure *why)
{
    struct lives *lives;
    enum status status = lives_new(&lives, deaths->history, why);
    if (status != STATUS_OK)
        return status;
    lives->deaths = deaths;
    lives->at_end = at_end;
    lives->dead = deaths->dead;
    lives->dead_count = deaths->dead_count;
    *out = lives;
    return STATUS_OK;
}

enum status lives_find_causes(struct lives *lives, struct failure *why)
{
    return lives->deaths ? causes_find(&lives->causes, lives->deaths, why) : STATUS_OK;
}

static enum status sort_recorded(struct lives *lives, const struct life_records *records,
                                 struct failure *why)
{
    uint64_t *ticks =
        array_new(objects_count(lives->history->heap.objects), sizeof *ticks); /* by node */
    if (!ticks)
        return fail_memory(why);
    for (size_t i = 0; i < lives->dead_count; i++)
        ticks[lives->dead_recorded[i]] = records->deaths[lives->dead_recorded[i]].tick;
    enum status status = sort_nodes(lives->dead_recorded, lives->dead_count, ticks,
                                    lives->history->clock.now, lives->history->interrupt, why);
    free(ticks);
    return status;
}

/* Lists what has a recorded death, in the order of these. */
static enum status list_recorded(struct lives *lives, struct life_records *records,
                                 struct failure *why)
{
    lives->dead_recorded = array_new(lives->count, sizeof *lives->dead_recorded);
    if (!lives->dead_recorded)
        return fail_memory(why);
    lives->dead = lives->dead_recorded;
    for (size_t i = 0; i < lives->count; i++) {
        struct life_death *death = &records->deaths[lives->nodes[i]];
        if (!death->is_dead)
            continue;
        if (death->tick < ascending_at(&records->birth_ticks, i))
            death->tick = ascending_at(&records->birth_ticks, i);
        lives->dead_recorded[lives->dead_count++] = lives->nodes[i];
    }
    return sort_recorded(lives, records, why);
}

enum status lives_open_recorded(struct lives **out, struct history *history,
                                struct failure *why)
{
    struct lives *lives;
    enum status status = lives_new(&lives, history, why);
    if (status != STATUS_OK)
        return status;
    status = list_recorded(lives, &history->life_records, why);
    if (status == STATUS_OK)
        *out = lives;
    else
        lives_close(lives);
    return status;
}

size_t lives_count(const struct lives *lives)
{
    return lives->count;
}

/* How many allocations come before the first one at `tick` or later. */
static size_t allocations_before(const struct lives *lives, uint64_t tick)
{
    return ascending_below(&lives->history->life_records.birth_ticks, &lives->births, tick);
}

/* Bytes allocated in the first `count` allocations. */
static uint64_t bytes_of(const struct lives *lives, size_t count)
{
    return count == 0 ? 0 : ascending_at(&lives->history->life_records.birth_bytes, count - 1);
}

uint64_t lives_bytes_before(const struct lives *lives, uint64_t tick)
{
    return bytes_of(lives, allocations_before(lives, tick));
}

/* Whether a node dies only because all that is alive at the end does. */
static bool dies_at_end(const struct lives *lives, node_t node)
{
    return lives->deaths && lives->at_end == AT_END_DIE &&
           lives->deaths->last_reached[node] >= lives->history->clock.now &&
           objects_is_allocated(lives->history->heap.objects, node);
}

bool lives_died(const struct lives *lives, node_t node, uint64_t *tick)
{
    if (!lives->deaths) {
        const struct life_death *death = &lives->history->life_records.deaths[node];
        *tick = death->tick;
        return death->is_dead;
    }
    uint64_t now = lives->history->clock.now, last = lives->deaths->last_reached[node];
    *tick = last < now ? last + 1 : now;
    return last < now || dies_at_end(lives, node);
}

/* A recorded death may stand before the boundary that follows the birth. */
static void set_death(const struct lives *lives, size_t allocation, struct life *life)
{
    life->has_died = lives_died(lives, life->node, &life->died);
    if (!life->has_died)
        return;
    size_t before =
        dies_at_end(lives, life->node) ? lives->count : allocations_before(lives, life->died);
    if (before <= allocation)
        before = allocation + 1;
    life->died_allocations = before;
    life->died_bytes = bytes_of(lives, before);
}

enum cause lives_cause(const struct lives *lives, node_t node)
{
    if (!lives->deaths)
        return CAUSE_UNKNOWN;
    if (lives->causes.causes)
        return causes_of(&lives->causes, node);
    return lives->deaths->last_reached[node] < lives->history->clock.now ? CAUSE_UNKNOWN
                                                                         : CAUSE_ALIVE_HELD;
}

struct life lives_life(const struct lives *lives, size_t allocation)
{
    const struct history *history = lives->history;
    const struct life_records *records = &history->life_records;
    node_t node = lives->nodes[allocation];
    struct life life = {
        .object = lives_id(lives, node),
        .size = life_records_size(records, allocation),
        .born = ascending_at(&records->birth_ticks, allocation),
        .born_bytes = ascending_at(&records->birth_bytes, allocation),
        .last_use = objects_last_uses(history->heap.objects)[node],
        .cause = lives_cause(lives, node),
        .uses = life_records_use_count(records, node),
        .node = node,
        .key = lives->causes.keys ? lives->causes.keys[node] : NODE_NONE,
    };
    set_death(lives, allocation, &life);
    return life;
}

size_t lives_boundary_death_count(const struct lives *lives)
{
    return lives->dead_count;
}

size_t lives_death_count(const struct lives *lives)
{
    bool all_die = lives->deaths && lives->at_end == AT_END_DIE;
    return lives->dead_count + (all_die ? lives->deaths->alive_count : 0);
}

size_t lives_death(const struct lives *lives, size_t index)
{
    node_t node = index < lives->dead_count ? lives->dead[index]
                                            : lives->deaths->alive[index - lives->dead_count];
    return lives->allocations[node];
}

size_t lives_allocation(const struct lives *lives, node_t node)
{
    return lives->allocations[node];
}

node_t lives_node(const struct lives *lives, size_t allocation)
{
    return lives->nodes[allocation];
}

const struct history *lives_history(const struct lives *lives)
{
    return lives->history;
}

uint64_t lives_time(const struct lives *lives, uint64_t tick)
{
    return clock_time(&lives->history->clock, tick);
}

uint64_t lives_end(const struct lives *lives)
{
    return lives->history->clock.now;
}

uint64_t lives_bytes(const struct lives *lives)
{
    return bytes_of(lives, lives->count);
}

uint64_t lives_id(const struct lives *lives, node_t node)
{
    return lives->ids ? lives->ids[node] : objects_id(lives->history->heap.objects, node);
}

void lives_set_ids(struct lives *lives, const node_t *ids)
{
    lives->ids = ids;
}

const struct group *lives_groups(const struct lives *lives, size_t *count)
{
    *count = lives->causes.group_count;
    return lives->causes.groups;
}

bool lives_has_cycle(const struct lives *lives, node_t key)
{
    return causes_has_cycle(&lives->causes, key);
}

const struct group *lives_group(const struct lives *lives, node_t key)
{
    return causes_group(&lives->causes, key);
}

void lives_close(struct lives *lives)
{
    if (!lives)
        return;
    causes_free(&lives->causes);
    ascending_index_free(&lives->births);
    free(lives->allocations);
    free(lives->dead_recorded);
    free(lives);
}
