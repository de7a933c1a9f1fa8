/* SPDX-License-Identifier: MIT */
/* Rounds over the deaths of an id, each in the order of their moments. What is before a
 * death is before all later ones, and what is not used after it is not used after later ones:
 * so allocations are added to those that may be taken, and taken, once. */
#include "merlin/death_pairing.h"

#include "base/memory.h"
#include "io/temporary/row_sort.h"

#include <stdlib.h>
#include <string.h>

struct rounds {
    struct pairing_owner *owners;
    size_t owner_count;
    struct pairing_claim *claims;
    size_t claim_count;
    uint64_t end;
    size_t *order;         /* numbers of allocations: sorted, or a stack */
    bool *is_quiet;        /* by allocation: it is not used any more */
    struct row_heap quiet; /* those before the present death, the latest one on top */
};

static int order_claims(const void *left, const void *right)
{
    const struct pairing_claim *a = left, *b = right;
    if (a->at.tick != b->at.tick)
        return a->at.tick < b->at.tick ? -1 : 1;
    if (a->at.place != b->at.place)
        return a->at.place < b->at.place ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static int order_numbers(const void *left, const void *right)
{
    uint64_t a = ((const struct pairing_claim *)left)->number;
    uint64_t b = ((const struct pairing_claim *)right)->number;
    return (a > b) - (a < b);
}

static void pair(struct rounds *rounds, size_t claim, size_t owner)
{
    rounds->claims[claim].fate = DEATH_PAIRED;
    rounds->claims[claim].owner = owner;
    rounds->owners[owner].death = claim + 1;
}

/* Of the deaths that the only allocation is before, the first is its own. */
static void pair_only(struct rounds *rounds)
{
    qsort(rounds->claims, rounds->claim_count, sizeof *rounds->claims, order_numbers);
    for (size_t i = 0; i < rounds->claim_count; i++) {
        if (rounds->claims[i].owners == 0)
            continue;
        if (rounds->owners[0].death == 0)
            pair(rounds, i, 0);
        else
            rounds->claims[i].fate = DEATH_REPEATED;
    }
}

/* A tick of an allocation, to sort by. */
struct owner_tick {
    uint64_t tick;
    uint64_t record;
    size_t owner;
};

static int order_ticks(const void *left, const void *right)
{
    const struct owner_tick *a = left, *b = right;
    if (a->tick != b->tick)
        return a->tick < b->tick ? -1 : 1;
    if (a->record != b->record)
        return a->record < b->record ? -1 : 1;
    return (a->owner > b->owner) - (a->owner < b->owner);
}

/* Sorts the allocations by computed deaths or by last uses, and then in their own order. */
static enum status sort_owners(struct rounds *rounds, bool by_use, struct failure *why)
{
    struct owner_tick *ticks = array_new(rounds->owner_count, sizeof *ticks);
    if (!ticks)
        return fail_memory(why);
    for (size_t i = 0; i < rounds->owner_count; i++) {
        const struct pairing_owner *owner = &rounds->owners[i];
        ticks[i] = by_use ? (struct owner_tick){owner->used.tick, owner->used.record, i}
                          : (struct owner_tick){owner->computed, 0, i};
    }
    qsort(ticks, rounds->owner_count, sizeof *ticks, order_ticks);
    for (size_t i = 0; i < rounds->owner_count; i++)
        rounds->order[i] = ticks[i].owner;
    free(ticks);
    return STATUS_OK;
}

/* Pairs deaths with allocations that die then. */
static enum status pair_agreeing(struct rounds *rounds, struct failure *why)
{
    size_t next = 0;
    TRY(sort_owners(rounds, false, why));
    for (size_t i = 0; i < rounds->claim_count; i++) {
        const struct pairing_claim *claim = &rounds->claims[i];
        while (next < rounds->owner_count &&
               rounds->owners[rounds->order[next]].computed < claim->first)
            next++;
        size_t owner = next < rounds->owner_count ? rounds->order[next] : SIZE_MAX;
        if (owner < claim->owners && rounds->owners[owner].computed <= claim->at.tick &&
            rounds->owners[owner].computed != UINT64_MAX) {
            pair(rounds, i, owner);
            next++;
        }
    }
    return STATUS_OK;
}

/* A death beyond the number of allocations that die then repeats another one. */
static void mark_repeated(struct rounds *rounds)
{
    const struct pairing_claim *agreed = NULL;
    for (size_t i = 0; i < rounds->claim_count; i++) {
        struct pairing_claim *claim = &rounds->claims[i];
        if (claim->fate == DEATH_PAIRED) {
            if (rounds->owners[claim->owner].computed != UINT64_MAX)
                agreed = claim;
        } else if (agreed && agreed->first == claim->first) {
            claim->fate = DEATH_REPEATED;
        }
    }
}

static enum status add_quiet(struct rounds *rounds, size_t owner, bool at_end,
                             struct failure *why)
{
    if (rounds->owners[owner].death != 0 ||
        (at_end && rounds->owners[owner].computed != UINT64_MAX))
        return STATUS_OK;
    return row_heap_add(&rounds->quiet, (const uint64_t[]){UINT64_MAX - owner, 0}, why);
}

/* Adds the allocations that come before *claim, and are not used after it, to those that may be
 * taken. *before: how many came before an earlier death; *next: how many were not used after
 * one. */
static enum status find_quiet(struct rounds *rounds, const struct pairing_claim *claim,
                              size_t *before, size_t *next, bool at_end, struct failure *why)
{
    for (; *before < claim->owners; ++*before)
        if (rounds->is_quiet[*before])
            TRY(add_quiet(rounds, *before, at_end, why));
    for (; *next < rounds->owner_count; ++*next) {
        size_t owner = rounds->order[*next];
        if (proof_is_after(&rounds->owners[owner].used, &claim->at))
            break;
        rounds->is_quiet[owner] = true;
        if (owner < *before)
            TRY(add_quiet(rounds, owner, at_end, why));
    }
    return STATUS_OK;
}

/* Pairs other deaths with the latest allocation that is not used after them; `at_end`: those at
 * the end with what survives. */
static enum status pair_quiet(struct rounds *rounds, bool at_end, struct failure *why)
{
    size_t before = 0, next = 0;
    rounds->quiet.count = 0;
    memset(rounds->is_quiet, 0, rounds->owner_count * sizeof *rounds->is_quiet);
    TRY(sort_owners(rounds, true, why));
    for (size_t i = 0; i < rounds->claim_count; i++) {
        const struct pairing_claim *claim = &rounds->claims[i];
        if (claim->fate != DEATH_UNKNOWN || (at_end && claim->at.tick != rounds->end))
            continue;
        TRY(find_quiet(rounds, claim, &before, &next, at_end, why));
        if (rounds->quiet.count == 0)
            continue;
        uint64_t row[2];
        row_heap_take(&rounds->quiet, row);
        pair(rounds, i, (size_t)(UINT64_MAX - row[0]));
    }
    return STATUS_OK;
}

/* Pairs each other death with the latest allocation before it that is left. */
static void pair_rest(struct rounds *rounds)
{
    size_t height = 0, next = 0;
    for (size_t i = 0; i < rounds->claim_count; i++) {
        struct pairing_claim *claim = &rounds->claims[i];
        if (claim->fate != DEATH_UNKNOWN)
            continue;
        for (; next < claim->owners; next++)
            if (rounds->owners[next].death == 0)
                rounds->order[height++] = next;
        if (height > 0)
            pair(rounds, i, rounds->order[--height]);
        else if (claim->owners > 0)
            claim->fate = DEATH_REPEATED;
    }
}

static enum status pair_several(struct rounds *rounds, struct failure *why)
{
    qsort(rounds->claims, rounds->claim_count, sizeof *rounds->claims, order_claims);
    rounds->quiet.width = 2;
    rounds->order = array_new(rounds->owner_count, sizeof *rounds->order);
    rounds->is_quiet = array_new(rounds->owner_count, sizeof *rounds->is_quiet);
    enum status status =
        rounds->order && rounds->is_quiet ? pair_agreeing(rounds, why) : fail_memory(why);
    if (status == STATUS_OK)
        status = pair_quiet(rounds, true, why);
    if (status == STATUS_OK)
        mark_repeated(rounds);
    if (status == STATUS_OK)
        status = pair_quiet(rounds, false, why);
    if (status == STATUS_OK)
        pair_rest(rounds);
    free(rounds->order);
    free(rounds->is_quiet);
    row_heap_free(&rounds->quiet);
    return status;
}

enum status pair_deaths(struct pairing_owner *owners, size_t owner_count,
                        struct pairing_claim *claims, size_t claim_count, uint64_t end,
                        struct failure *why)
{
    struct rounds rounds = {.owners = owners,
                            .owner_count = owner_count,
                            .claims = claims,
                            .claim_count = claim_count,
                            .end = end};
    for (size_t i = 0; i < owner_count; i++)
        owners[i].death = 0;
    for (size_t i = 0; i < claim_count; i++)
        claims[i].fate = DEATH_UNKNOWN;
    if (owner_count > 1)
        return pair_several(&rounds, why);
    if (owner_count == 1)
        pair_only(&rounds);
    return STATUS_OK;
}
