/* SPDX-License-Identifier: MIT */
/* Allocations and deaths, both sorted by object, are walked side by side, one object at a time.
 * Nearly every object is allocated once; where ids repeat, the allocations of the object
 * form a group that is paired in two rounds: first what agrees, then the rest. All of it takes
 * time linear in allocations and deaths but for the sorting within groups. */
#include "report/compare/pairing.h"

#include "base/memory.h"
#include "merlin/propagation.h"

#include <stdlib.h>

/* The allocations and the deaths of one object. */
struct pair_group {
    const struct alignment *alignment;
    const uint64_t *computed;
    const node_t *allocations; /* in the order of the trace */
    size_t allocation_count;
    const node_t *deaths; /* in the order of the file */
    size_t death_count;
};

/* An allocation with its computed tick, and a death with its recorded ones. */
struct candidate {
    uint64_t computed;
    node_t allocation;
};
struct claim {
    struct tick_span span;
    node_t death;
};

static const struct recorded_death *death_at(const struct pair_group *group, node_t death)
{
    return &group->alignment->recorded->deaths[death];
}

/* Whether the allocation comes before the death: by the time of the death, wherever it stands,
 * unless it has none. A death at the last boundary may mean the end of the trace, and belong to
 * what is allocated after that boundary; one at the tick of the first allocation is early, not
 * of an object before it. */
static bool is_before(const struct pair_group *group, node_t allocation, node_t death)
{
    const struct alignment *alignment = group->alignment;
    if (alignment->by == COMPARE_BY_POSITION)
        return allocation < death_at(group, death)->allocations;
    uint64_t born = alignment->trace->allocations[allocation].tick;
    uint64_t died = alignment_span(alignment, death_at(group, death)).last;
    return born < died || died >= alignment->clock->now ||
           (born == died && allocation == group->allocations[0]);
}

static void pair(struct pairing *pairing, node_t allocation, node_t death)
{
    pairing->death_of[allocation] = death + 1;
    pairing->fates[death] = DEATH_PAIRED;
}

/* The object is allocated once, so its first death is its own. */
static void pair_single(struct pairing *pairing, const struct pair_group *group)
{
    node_t allocation = group->allocations[0];
    for (size_t i = 0; i < group->death_count; i++) {
        node_t death = group->deaths[i];
        if (!is_before(group, allocation, death))
            continue;
        if (pairing->death_of[allocation] == 0)
            pair(pairing, allocation, death);
        else
            pairing->fates[death] = DEATH_REPEATED;
    }
}

static int order_candidates(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    if (a->computed != b->computed)
        return a->computed < b->computed ? -1 : 1;
    return (a->allocation > b->allocation) - (a->allocation < b->allocation);
}

static int order_claims(const void *left, const void *right)
{
    const struct claim *a = left, *b = right;
    if (a->span.first != b->span.first)
        return a->span.first < b->span.first ? -1 : 1;
    return (a->death > b->death) - (a->death < b->death);
}

/* Pairs deaths with allocations that die then. A death beyond the number of such allocations
 * repeats another one. Both arrays are sorted by tick. */
static void pair_agreeing(struct pairing *pairing, const struct pair_group *group,
                          const struct candidate *candidates, const struct claim *claims)
{
    const struct claim *agreed = NULL;
    size_t next = 0;
    for (size_t i = 0; i < group->death_count; i++) {
        const struct claim *claim = &claims[i];
        while (next < group->allocation_count && candidates[next].computed < claim->span.first)
            next++;
        const struct candidate *candidate = &candidates[next];
        if (next < group->allocation_count && candidate->computed <= claim->span.last &&
            candidate->computed != NEVER &&
            is_before(group, candidate->allocation, claim->death)) {
            pair(pairing, candidate->allocation, claim->death);
            agreed = claim;
            next++;
        } else if (agreed && agreed->span.first == claim->span.first) {
            pairing->fates[claim->death] = DEATH_REPEATED;
        }
    }
}

/* Pairs each other death with the latest allocation before it that is left. `open` has room for
 * all allocations: those that are left, the latest on top. */
static void pair_rest(struct pairing *pairing, const struct pair_group *group,
                      const struct claim *claims, node_t *open)
{
    size_t height = 0, next = 0;
    for (size_t i = 0; i < group->death_count; i++) {
        node_t death = claims[i].death;
        if (pairing->fates[death] != DEATH_UNKNOWN)
            continue;
        for (; next < group->allocation_count &&
               is_before(group, group->allocations[next], death);
             next++)
            if (pairing->death_of[group->allocations[next]] == 0)
                open[height++] = group->allocations[next];
        if (height > 0)
            pair(pairing, open[--height], death);
        else if (next > 0)
            pairing->fates[death] = DEATH_REPEATED;
    }
}

static enum status pair_repeated(struct pairing *pairing, const struct pair_group *group,
                                 struct failure *why)
{
    struct candidate *candidates = array_new(group->allocation_count, sizeof *candidates);
    struct claim *claims = array_new(group->death_count, sizeof *claims);
    node_t *open = array_new(group->allocation_count, sizeof *open);
    enum status status = candidates && claims && open ? STATUS_OK : fail_memory(why);
    if (status == STATUS_OK) {
        for (size_t i = 0; i < group->allocation_count; i++)
            candidates[i] = (struct candidate){group->computed[group->allocations[i]],
                                               group->allocations[i]};
        for (size_t i = 0; i < group->death_count; i++)
            claims[i] = (struct claim){
                alignment_span(group->alignment, death_at(group, group->deaths[i])),
                group->deaths[i]};
        qsort(candidates, group->allocation_count, sizeof *candidates, order_candidates);
        qsort(claims, group->death_count, sizeof *claims, order_claims);
        pair_agreeing(pairing, group, candidates, claims);
        pair_rest(pairing, group, claims, open);
    }
    free(candidates);
    free(claims);
    free(open);
    return status;
}

/* Sets the group to the allocations and deaths of the object of the death at *death, of
 * `deaths` in all, and moves *allocation and *death after them. */
static void next_group(struct pair_group *group, size_t *allocation, size_t *death)
{
    const struct alignment *alignment = group->alignment;
    const struct recording *trace = alignment->trace, *recorded = alignment->recorded;
    uint64_t object = recorded->deaths[alignment->deaths[*death]].object;
    size_t first = *death;
    while (*death < recorded->death_count &&
           recorded->deaths[alignment->deaths[*death]].object == object)
        ++*death;
    group->deaths = alignment->deaths + first;
    group->death_count = *death - first;
    while (*allocation < trace->allocation_count &&
           trace->allocations[alignment->allocations[*allocation]].object < object)
        ++*allocation;
    first = *allocation;
    while (*allocation < trace->allocation_count &&
           trace->allocations[alignment->allocations[*allocation]].object == object)
        ++*allocation;
    group->allocations = alignment->allocations + first;
    group->allocation_count = *allocation - first;
}

enum status pairing_init(struct pairing *pairing, const struct alignment *alignment,
                         const uint64_t *computed, struct failure *why)
{
    size_t deaths = alignment->recorded->death_count;
    struct pair_group group = {.alignment = alignment, .computed = computed};
    pairing->death_of =
        array_new(alignment->trace->allocation_count, sizeof *pairing->death_of);
    pairing->fates = array_new(deaths, sizeof *pairing->fates);
    if (!pairing->death_of || !pairing->fates)
        return fail_memory(why);
    for (size_t i = 0; i < deaths; i++)
        pairing->fates[i] = DEATH_UNKNOWN;
    enum status status = STATUS_OK;
    for (size_t allocation = 0, death = 0; death < deaths && status == STATUS_OK;) {
        next_group(&group, &allocation, &death);
        if (group.allocation_count == 1)
            pair_single(pairing, &group);
        else if (group.allocation_count > 1)
            status = pair_repeated(pairing, &group, why);
    }
    return status;
}

void pairing_free(struct pairing *pairing)
{
    free(pairing->death_of);
    free(pairing->fates);
    *pairing = (struct pairing){.death_of = NULL};
}
