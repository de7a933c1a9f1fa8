/* SPDX-License-Identifier: MIT */
/* Allocations and deaths, both sorted by object, are walked side by side, one object at a time.
 * Nearly every object is allocated once; where ids repeat, the allocations of the object
 * form a group. All of it takes time linear in allocations and deaths but for the sorting
 * within groups. */
#include "report/compare/compare.h"

#include "base/memory.h"

#include <stdlib.h>

/* The allocations and the deaths of one object, and the room to pair them. */
struct pair_group {
    const struct alignment *alignment;
    const uint64_t *computed;
    const struct proof *uses;
    const node_t *allocations; /* in the order of the trace */
    size_t allocation_count;
    const node_t *deaths; /* in the order of the file */
    size_t death_count;
    struct pairing_owner *owners;
    size_t owner_capacity;
    struct pairing_claim *claims;
    size_t claim_capacity;
};

static const struct recorded_death *death_at(const struct pair_group *group, size_t number)
{
    return &group->alignment->recorded->deaths[group->deaths[number]];
}

/* How many allocations of the group are before a death. */
static size_t count_before(const struct pair_group *group, const struct recorded_death *death)
{
    const struct alignment *alignment = group->alignment;
    const struct recorded_allocation *allocations = alignment->trace->allocations;
    struct death_instant at = alignment_instant(alignment, death);
    size_t before = 0, high = group->allocation_count;
    if (alignment->by == COMPARE_BY_POSITION) {
        BISECT(before, high, i, group->allocations[i] < death->allocations);
        return before;
    }
    if (at.place == PLACE_AT_END)
        return high;
    BISECT(before, high, i, allocations[group->allocations[i]].tick < at.tick);
    return before == 0 && allocations[group->allocations[0]].tick == at.tick ? 1 : before;
}

static void pairing_make_owners(const struct pair_group *group)
{
    for (size_t i = 0; i < group->allocation_count; i++) {
        node_t allocation = group->allocations[i];
        group->owners[i] = (struct pairing_owner){
            .used = group->uses[allocation],
            .computed = group->computed[allocation],
        };
    }
}

static void pairing_make_claims(const struct pair_group *group)
{
    for (size_t i = 0; i < group->death_count; i++) {
        const struct recorded_death *death = death_at(group, i);
        group->claims[i] = (struct pairing_claim){
            .at = alignment_instant(group->alignment, death),
            .first = alignment_span(group->alignment, death).first,
            .number = i,
            .owners = count_before(group, death),
        };
    }
}

static enum status pair_group(struct pairing *pairing, struct pair_group *group,
                              struct failure *why)
{
    if (!ARRAY_RESERVE(group->owners, group->owner_capacity, group->allocation_count) ||
        !ARRAY_RESERVE(group->claims, group->claim_capacity, group->death_count))
        return fail_memory(why);
    pairing_make_owners(group);
    pairing_make_claims(group);
    enum status status = pair_deaths(group->owners, group->allocation_count, group->claims,
                                     group->death_count, group->alignment->clock->now, why);
    for (size_t i = 0; i < group->death_count && status == STATUS_OK; i++) {
        const struct pairing_claim *claim = &group->claims[i];
        node_t death = group->deaths[claim->number];
        pairing->fates[death] = (uint8_t)claim->fate;
        if (claim->fate == DEATH_PAIRED)
            pairing->death_of[group->allocations[claim->owner]] = death + 1;
    }
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
                         const uint64_t *computed, const struct proof *uses,
                         struct failure *why)
{
    size_t deaths = alignment->recorded->death_count;
    struct pair_group group = {.alignment = alignment, .computed = computed, .uses = uses};
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
        if (group.allocation_count > 0)
            status = pair_group(pairing, &group, why);
    }
    free(group.owners);
    free(group.claims);
    return status;
}

void pairing_free(struct pairing *pairing)
{
    free(pairing->death_of);
    free(pairing->fates);
    *pairing = (struct pairing){.death_of = NULL};
}
