/* SPDX-License-Identifier: MIT */
/* Compares computed with recorded deaths, object by object. A recorded death is the same,
 * early, late, missing or extra; and it is impossible when a later record still uses the
 * object, which needs no rule of what frames hold: the line of that use is shown as the proof.
 *
 * To pair them, allocations and deaths, both sorted by object, are walked side by side, one
 * object at a time. Nearly every object is allocated once; where ids repeat, the allocations of
 * the object form a group. All of it takes time linear in allocations and deaths but for the
 * sorting within groups. */
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

/* Sets by allocation the tick of its computed death, and its last use. */
static enum status list_computed(struct comparison *comparison, const struct life_stream *lives,
                                 enum at_end at_end, struct failure *why)
{
    const struct alignment *alignment = comparison->alignment;
    size_t count = alignment->trace->allocation_count;
    TRY(lives_in_order_read(&comparison->computed, lives, count, why));
    for (size_t i = 0; i < count && at_end == AT_END_DIE; i++)
        if (comparison->computed.deaths[i] == NEVER)
            comparison->computed.deaths[i] = alignment->clock->now;
    return STATUS_OK;
}

/* The recorded death of an allocation, or NULL. */
static const struct recorded_death *death_of(const struct comparison *comparison,
                                             size_t allocation)
{
    node_t number = comparison->pairing.death_of[allocation];
    return number ? &comparison->alignment->recorded->deaths[number - 1] : NULL;
}

static enum compare_class classify(const struct comparison *comparison, size_t allocation)
{
    uint64_t computed = comparison->computed.deaths[allocation];
    const struct recorded_death *death = death_of(comparison, allocation);
    if (!death)
        return computed == NEVER ? CLASS_SAME : CLASS_MISSING;
    if (computed == NEVER)
        return CLASS_EXTRA;
    struct tick_span recorded = alignment_span(comparison->alignment, death);
    return recorded.last < computed    ? CLASS_EARLY
           : recorded.first > computed ? CLASS_LATE
                                       : CLASS_SAME;
}

/* Whether a record proves that an object is used after its recorded death, which is early or
 * extra. */
static bool is_impossible(const struct comparison *comparison, size_t allocation)
{
    const struct recorded_death *death = death_of(comparison, allocation);
    if (!death)
        return false;
    struct death_instant died = alignment_instant(comparison->alignment, death);
    return proof_is_after(&comparison->computed.uses[allocation], &died);
}

static void count_allocation(struct comparison *comparison, size_t allocation)
{
    struct compare_figures *figures = &comparison->figures;
    enum compare_class verdict = classify(comparison, allocation);
    figures->classes[verdict]++;
    if (verdict == CLASS_SAME)
        figures->same_alive += comparison->computed.deaths[allocation] == NEVER;
    if (verdict == CLASS_EARLY || verdict == CLASS_EXTRA)
        figures->impossible[verdict] += is_impossible(comparison, allocation);
}

/* How far the two deaths of an allocation, of the class `verdict`, are apart. */
static uint64_t compare_distance(const struct comparison *comparison, size_t allocation,
                                 enum compare_class verdict)
{
    if (verdict == CLASS_SAME)
        return 0;
    uint64_t computed = comparison->computed.deaths[allocation];
    struct tick_span recorded =
        alignment_span(comparison->alignment, death_of(comparison, allocation));
    return verdict == CLASS_EARLY ? computed - recorded.last : recorded.first - computed;
}

static enum compare_range range_of(uint64_t distance)
{
    return distance <= 1    ? RANGE_1
           : distance <= 3  ? RANGE_2_TO_3
           : distance <= 10 ? RANGE_4_TO_10
                            : RANGE_ABOVE_10;
}

/* Describes the distances of the allocations that have both deaths and are of one of the
 * classes in the set `verdicts`. */
static enum status compare_describe(const struct comparison *comparison, unsigned verdicts,
                                    struct compare_distances *described, struct failure *why)
{
    size_t count = 0, allocations = (size_t)comparison->figures.allocations;
    uint64_t *distances = array_new(allocations, sizeof *distances);
    if (!distances)
        return fail_memory(why);
    for (size_t i = 0; i < allocations; i++) {
        enum compare_class verdict = classify(comparison, i);
        if (!(verdicts & 1u << verdict) || !death_of(comparison, i))
            continue;
        uint64_t distance = compare_distance(comparison, i, verdict);
        described->ranges[range_of(distance)] += distance > 0;
        distances[count++] = distance;
    }
    described->distribution = figures_describe(distances, count);
    free(distances);
    return STATUS_OK;
}

static enum status describe_distances(struct comparison *comparison, struct failure *why)
{
    struct compare_figures *figures = &comparison->figures;
    unsigned early = 1u << CLASS_EARLY, late = 1u << CLASS_LATE, same = 1u << CLASS_SAME;
    TRY(compare_describe(comparison, early, &figures->early, why));
    TRY(compare_describe(comparison, late, &figures->late, why));
    return compare_describe(comparison, early | late | same, &figures->all, why);
}

static void count_deaths(struct comparison *comparison)
{
    struct compare_figures *figures = &comparison->figures;
    figures->deaths = comparison->alignment->recorded->death_count;
    for (size_t i = 0; i < figures->deaths; i++) {
        figures->unknown += comparison->pairing.fates[i] == DEATH_UNKNOWN;
        figures->repeated += comparison->pairing.fates[i] == DEATH_REPEATED;
    }
}

enum status compare(struct comparison *comparison, const struct alignment *alignment,
                    const struct life_stream *lives, enum at_end at_end, struct failure *why)
{
    *comparison = (struct comparison){.alignment = alignment};
    struct compare_figures *figures = &comparison->figures;
    TRY(list_computed(comparison, lives, at_end, why));
    TRY(pairing_init(&comparison->pairing, alignment, comparison->computed.deaths,
                     comparison->computed.uses, why));
    figures->allocations = alignment->trace->allocation_count;
    for (size_t i = 0; i < figures->allocations; i++)
        count_allocation(comparison, i);
    count_deaths(comparison);
    return describe_distances(comparison, why);
}

bool compare_agrees(const struct compare_figures *figures)
{
    return figures->classes[CLASS_SAME] == figures->allocations && figures->unknown == 0 &&
           figures->repeated == 0;
}

/* The part of a row about the recorded death. */
static void describe_recorded(const struct comparison *comparison, size_t allocation,
                              struct compare_row *row)
{
    const struct alignment *alignment = comparison->alignment;
    const struct recorded_death *death = death_of(comparison, allocation);
    if (!death)
        return;
    row->recorded_line = death->line;
    row->recorded = alignment_shown_time(alignment, death);
    if ((row->verdict == CLASS_EARLY || row->verdict == CLASS_EXTRA) &&
        is_impossible(comparison, allocation))
        row->used_line = line_map_line(&alignment->trace->lines,
                                       comparison->computed.uses[allocation].record);
}

struct compare_row compare_row(const struct comparison *comparison, size_t allocation)
{
    const struct alignment *alignment = comparison->alignment;
    const struct recorded_allocation *allocated = &alignment->trace->allocations[allocation];
    uint64_t computed = comparison->computed.deaths[allocation];
    struct compare_row row = {
        .verdict = classify(comparison, allocation),
        .line = allocated->line,
        .object = allocated->object,
        .thread = allocated->thread,
        .allocated = clock_time(alignment->clock, allocated->tick),
        .is_dead = computed != NEVER,
    };
    if (row.is_dead)
        row.computed = clock_time(alignment->clock, computed);
    describe_recorded(comparison, allocation, &row);
    return row;
}

void compare_free(struct comparison *comparison)
{
    lives_in_order_free(&comparison->computed);
    pairing_free(&comparison->pairing);
    *comparison = (struct comparison){.alignment = NULL};
}

/* The order of --compare-all: recorded deaths are compared with those computed under each set
 * of assumptions, and the set that explains them best comes first. */

/* The rank of assumptions in the order of the manual page. */
static unsigned agreement_rank_of(const struct assumptions *assumptions)
{
    return assumptions->held_by * 4u + assumptions->unallocated * 2u + assumptions->at_end;
}

static int order_agreements(const void *left, const void *right)
{
    const struct agreement *a = left, *b = right;
    uint64_t same_a = a->figures.classes[CLASS_SAME], same_b = b->figures.classes[CLASS_SAME];
    if (same_a != same_b)
        return same_a > same_b ? -1 : 1;
    uint64_t left_a = a->figures.unknown + a->figures.repeated;
    uint64_t left_b = b->figures.unknown + b->figures.repeated;
    if (left_a != left_b)
        return left_a < left_b ? -1 : 1;
    return agreement_rank_of(&a->assumptions) < agreement_rank_of(&b->assumptions) ? -1 : 1;
}

void agreement_sort(struct agreement *agreements, size_t count)
{
    qsort(agreements, count, sizeof *agreements, order_agreements);
}
