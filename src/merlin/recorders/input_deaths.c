/* SPDX-License-Identifier: MIT */
/* An id nearly always means one object, whose death is found by its node. Where an id is
 * allocated again, a link leads from the newer node to the older, and its deaths are given to
 * them when all is known. */
#include "merlin/recorders/input_deaths.h"

#include "base/memory.h"
#include "merlin/apply.h"

#include <stdlib.h>

enum status input_deaths_reserve(struct input_deaths *deaths, size_t nodes, struct failure *why)
{
    return ARRAY_LENGTHEN(deaths->deaths, deaths->count, deaths->capacity, nodes) &&
                   ARRAY_RESERVE(deaths->births, deaths->birth_capacity, nodes)
               ? STATUS_OK
               : fail_memory(why);
}

enum status input_deaths_repeat(struct input_deaths *deaths, node_t node, node_t before,
                                struct failure *why)
{
    if (!ARRAY_LENGTHEN(deaths->older, deaths->older_count, deaths->older_capacity,
                        (size_t)node + 1))
        return fail_memory(why);
    deaths->older[node] = before;
    return STATUS_OK;
}

enum status input_deaths_position(struct input_deaths *deaths, uint64_t tick, uint64_t others,
                                  struct failure *why)
{
    if (deaths->positions.count == 0)
        deaths->first_death = others;
    return ascending_add(&deaths->positions, tick, why);
}

enum status input_deaths_add(struct input_deaths *deaths, node_t node,
                             const struct input_death *death, struct failure *why)
{
    if (deaths->deaths[node].number == 0) {
        deaths->deaths[node] = *death;
        return STATUS_OK;
    }
    if (!ARRAY_RESERVE(deaths->others, deaths->other_capacity, deaths->other_count + 1))
        return fail_memory(why);
    deaths->others[deaths->other_count++] = (struct other_death){*death, node};
    return STATUS_OK;
}

/* Moves *next up to record number `end` of the batch, and finds out whether the last one before
 * it, deaths not counted, is a boundary. */
static void follow_records(struct input_deaths *deaths, const struct seen_batch *seen,
                           size_t *next, size_t end)
{
    for (; *next < end; ++*next)
        if (seen->batch->records[*next].kind != RECORD_DEATH)
            deaths->at_boundary = record_is_boundary(seen->batch->records[*next].kind);
}

/* Finds the tick of a death: that of its time, if the clock has shown that time, or else that
 * of its position. `record` is the number of the record before it. */
static enum status find_tick(struct input_deaths *deaths, const struct seen_batch *seen,
                             const struct seen_event *event, uint64_t record, uint64_t *tick,
                             struct failure *why)
{
    const struct clock *clock = &seen->pass->clock;
    uint64_t time = seen_record(seen, event)->time, now = event->tick, first;
    *tick = seen->pass->ticks_by_time ? time : now;
    if (seen->pass->ticks_by_time)
        return STATUS_OK;
    if (clock_has(clock, time, now))
        clock_find(clock, time, &first, tick);
    else
        deaths->has_misfit = true;
    if (*tick > now) /* the clock has gone on since */
        *tick = now;
    return input_deaths_position(deaths, now, record, why);
}

static enum status see_death(struct input_deaths *deaths, const struct seen_batch *seen,
                             const struct seen_event *event, uint64_t record,
                             struct failure *why)
{
    struct input_death death = {.number = ++deaths->seen};
    TRY(find_tick(deaths, seen, event, record, &death.at.tick, why));
    if (event->node == NODE_NONE)
        return STATUS_OK;
    death.at.place = death_place(record, deaths->at_boundary);
    return input_deaths_add(deaths, event->node, &death, why);
}

enum status input_deaths_see(struct input_deaths *deaths, const struct seen_batch *seen,
                             struct failure *why)
{
    uint64_t before = 0;
    size_t next = seen->first;
    TRY(input_deaths_reserve(deaths, seen->nodes, why));
    for (size_t i = 0; i < seen->events->count; i++) {
        const struct seen_event *event = &seen->events->items[i];
        if (event->kind == SEEN_BIRTH) {
            deaths->births[event->node] = event->tick;
            if (event->how == ALLOCATION_REPEATED)
                TRY(input_deaths_repeat(deaths, event->node, event->other, why));
        } else if (event->kind == SEEN_DEATH) {
            follow_records(deaths, seen, &next, event->record);
            TRY(see_death(deaths, seen, event, seen_number(seen, event, before) - 1, why));
            before++;
        }
    }
    follow_records(deaths, seen, &next, seen->end);
    return STATUS_OK;
}

bool input_deaths_are_shared(const struct input_deaths *deaths)
{
    for (size_t node = 1; node < deaths->older_count; node++)
        if (deaths->older[node] != NODE_NONE &&
            (deaths->deaths[node].number > 0 || deaths->deaths[deaths->older[node]].number > 0))
            return true;
    return false;
}

/* Sets the moment at which a death counts. */
static void settle_moment(const struct input_deaths *deaths,
                          const struct death_evidence *evidence, struct input_death *death)
{
    uint64_t position = death->at.tick, last = evidence->last_record;
    if (deaths->positions.count > 0)
        position = ascending_at(&deaths->positions, (size_t)death->number - 1);
    if (evidence->by_position)
        death->at.tick = position;
    else if (death->at.tick < position)
        death->at.place = PLACE_AT_TICK;
    /* Nothing follows the last boundary, whose own uses are no proof against the end. */
    if (last > 0 && death->at.place == death_place(last, true))
        death->at.place = death_place(last, false);
}

/* By node, then in the order of records. */
static int compare_others(const void *left, const void *right)
{
    const struct other_death *a = left, *b = right;
    if (a->node != b->node)
        return a->node < b->node ? -1 : 1;
    return (a->death.number > b->death.number) - (a->death.number < b->death.number);
}

struct chained_death {
    struct input_death death;
    size_t meant; /* the number of the allocation that the id means there */
};

/* The allocations of an id, in the order of the trace, and its deaths. */
struct id_chain {
    node_t *nodes;
    size_t count;
    size_t capacity;
    struct chained_death *deaths;
    size_t death_count;
    size_t death_capacity;
};

static void chain_free(struct id_chain *chain)
{
    free(chain->nodes);
    free(chain->deaths);
}

static enum status chain_add_death(struct id_chain *chain, const struct input_death *death,
                                   size_t meant, struct failure *why)
{
    if (!ARRAY_RESERVE(chain->deaths, chain->death_capacity, chain->death_count + 1))
        return fail_memory(why);
    chain->deaths[chain->death_count++] = (struct chained_death){*death, meant};
    return STATUS_OK;
}

/* Adds the deaths that the id has while it means allocation number `meant` of the chain. */
static enum status chain_add_deaths(struct id_chain *chain, const struct input_deaths *deaths,
                                    size_t meant, struct failure *why)
{
    node_t node = chain->nodes[meant];
    size_t low = 0, high = deaths->other_count;
    if (deaths->deaths[node].number == 0)
        return STATUS_OK;
    TRY(chain_add_death(chain, &deaths->deaths[node], meant, why));
    BISECT(low, high, at, deaths->others[at].node < node);
    for (; low < deaths->other_count && deaths->others[low].node == node; low++)
        TRY(chain_add_death(chain, &deaths->others[low].death, meant, why));
    return STATUS_OK;
}

/* Sets the chain to that of the id whose last allocation is `node`. is_older[n] is set for the
 * other ones. */
static enum status chain_find(struct id_chain *chain, const struct input_deaths *deaths,
                              node_t node, bool *is_older, struct failure *why)
{
    chain->count = chain->death_count = 0;
    for (; node != NODE_NONE; node = deaths->older[node]) {
        if (!ARRAY_RESERVE(chain->nodes, chain->capacity, chain->count + 1))
            return fail_memory(why);
        is_older[node] = chain->count > 0;
        chain->nodes[chain->count++] = node;
    }
    for (size_t i = 0, j = chain->count - 1; i < j; i++, j--) {
        node = chain->nodes[i];
        chain->nodes[i] = chain->nodes[j];
        chain->nodes[j] = node;
    }
    for (size_t i = 0; i < chain->count; i++)
        TRY(chain_add_deaths(chain, deaths, i, why));
    return STATUS_OK;
}

/* How many allocations of the chain are before a death. */
static size_t count_before(const struct id_chain *chain, const struct input_deaths *deaths,
                           const struct chained_death *chained)
{
    const struct input_death *death = &chained->death;
    size_t before = 0, high = chained->meant + 1;
    if (death->at.place != PLACE_AT_TICK)
        return high;
    BISECT(before, high, at, deaths->births[chain->nodes[at]] < death->at.tick);
    if (before > 0)
        return before;
    return deaths->births[chain->nodes[0]] == death->at.tick ? 1 : chained->meant + 1;
}

static void make_claims(const struct id_chain *chain, const struct input_deaths *deaths,
                        const struct death_evidence *evidence, struct pairing_claim *claims)
{
    for (size_t i = 0; i < chain->death_count; i++) {
        const struct input_death *death = &chain->deaths[i].death;
        uint64_t first = death->at.tick, last;
        if (evidence->last_reached && !evidence->by_position)
            clock_find(evidence->clock, clock_time(evidence->clock, first), &first, &last);
        claims[i] = (struct pairing_claim){
            .at = death->at,
            .first = first,
            .number = i,
            .owners = count_before(chain, deaths, &chain->deaths[i]),
        };
    }
}

static void make_owners(const struct id_chain *chain, const struct death_evidence *evidence,
                        struct pairing_owner *owners)
{
    for (size_t i = 0; i < chain->count; i++) {
        node_t node = chain->nodes[i];
        owners[i] =
            (struct pairing_owner){.used = evidence->uses[node], .computed = UINT64_MAX};
        if (evidence->last_reached && evidence->last_reached[node] < evidence->clock->now)
            owners[i].computed = evidence->last_reached[node] + 1;
    }
}

/* Gives the deaths of a chain to its nodes. */
static enum status settle_chain(struct input_deaths *deaths, const struct id_chain *chain,
                                const struct death_evidence *evidence, struct failure *why)
{
    struct pairing_owner *owners = array_new(chain->count, sizeof *owners);
    struct pairing_claim *claims = array_new(chain->death_count, sizeof *claims);
    enum status status = owners && claims ? STATUS_OK : fail_memory(why);
    if (status == STATUS_OK) {
        make_owners(chain, evidence, owners);
        make_claims(chain, deaths, evidence, claims);
        status = pair_deaths(owners, chain->count, claims, chain->death_count,
                             evidence->last_reached ? evidence->clock->now : UINT64_MAX, why);
    }
    for (size_t i = 0; i < chain->count && status == STATUS_OK; i++) {
        size_t claim = owners[i].death;
        deaths->deaths[chain->nodes[i]] = claim ? chain->deaths[claims[claim - 1].number].death
                                                : (struct input_death){.number = 0};
    }
    free(owners);
    free(claims);
    return status;
}

static enum status settle_chains(struct input_deaths *deaths,
                                 const struct death_evidence *evidence, struct failure *why)
{
    struct id_chain chain = {.nodes = NULL};
    bool *is_older = array_new(deaths->older_count, sizeof *is_older);
    enum status status = is_older ? STATUS_OK : fail_memory(why);
    for (size_t node = deaths->older_count; node-- > 1 && status == STATUS_OK;) {
        if (deaths->older[node] == NODE_NONE || is_older[node])
            continue;
        status = chain_find(&chain, deaths, (node_t)node, is_older, why);
        if (status == STATUS_OK && chain.death_count > 0)
            status = settle_chain(deaths, &chain, evidence, why);
    }
    chain_free(&chain);
    free(is_older);
    return status;
}

enum status input_deaths_settle(struct input_deaths *deaths,
                                const struct death_evidence *evidence, struct failure *why)
{
    for (size_t node = 1; node < deaths->count; node++)
        if (deaths->deaths[node].number > 0)
            settle_moment(deaths, evidence, &deaths->deaths[node]);
    /* The first death of an id that is allocated once is its own (pair_deaths). */
    if (!deaths->older)
        return STATUS_OK;
    for (size_t i = 0; i < deaths->other_count; i++)
        settle_moment(deaths, evidence, &deaths->others[i].death);
    if (deaths->other_count > 1)
        qsort(deaths->others, deaths->other_count, sizeof *deaths->others, compare_others);
    return settle_chains(deaths, evidence, why);
}

void input_deaths_free(struct input_deaths *deaths)
{
    free(deaths->deaths);
    free(deaths->births);
    free(deaths->older);
    free(deaths->others);
    ascending_free(&deaths->positions);
    *deaths = (struct input_deaths){.deaths = NULL};
}
