#include "report/compare.h"

#include "base/memory.h"

#include <stdlib.h>

/* By allocation, the tick of its computed death. */
static enum status list_computed(struct comparison *comparison, struct failure *why)
{
    const struct deaths *deaths = comparison->deaths;
    uint64_t now = deaths->history->clock.now;
    uint64_t survivors_die = comparison->at_end == AT_END_DIE ? now : NEVER;
    size_t count;
    const node_t *nodes = objects_allocations(deaths->history->heap.objects, &count);
    comparison->computed = array_new(count, sizeof *comparison->computed);
    if (!comparison->computed)
        return fail_memory(why);
    for (size_t i = 0; i < count; i++) {
        uint64_t last = deaths->last_reached[nodes[i]];
        comparison->computed[i] = last < now ? last + 1 : survivors_die;
    }
    return STATUS_OK;
}

/* The recorded death of an allocation, or NULL. */
static const struct recorded_death *death_of(const struct comparison *comparison,
                                             size_t allocation)
{
    node_t number = comparison->pairing.death_of[allocation];
    return number ? &comparison->basis->recorded->deaths[number - 1] : NULL;
}

static enum compare_class classify(const struct comparison *comparison, size_t allocation)
{
    uint64_t computed = comparison->computed[allocation];
    const struct recorded_death *death = death_of(comparison, allocation);
    if (!death)
        return computed == NEVER ? CLASS_SAME : CLASS_MISSING;
    if (computed == NEVER)
        return CLASS_EXTRA;
    struct span recorded = basis_span(comparison->basis, death);
    return recorded.last < computed    ? CLASS_EARLY
           : recorded.first > computed ? CLASS_LATE
                                       : CLASS_SAME;
}

static node_t node_of(const struct comparison *comparison, size_t allocation)
{
    size_t count;
    return objects_allocations(comparison->deaths->history->heap.objects, &count)[allocation];
}

static const struct proof *proof_of(const struct comparison *comparison, size_t allocation)
{
    return &comparison->deaths->history->proofs[node_of(comparison, allocation)];
}

/* Whether an object is provably used after its recorded death, which is early or extra. A use
 * at the very tick of the death comes after it, unless the death stands behind the use, or may
 * mean the end of the trace. */
static bool is_impossible(const struct comparison *comparison, size_t allocation)
{
    const struct basis *basis = comparison->basis;
    const struct recorded_death *death = death_of(comparison, allocation);
    const struct proof *proof = proof_of(comparison, allocation);
    uint64_t recorded = basis_span(basis, death).last;
    if (proof->tick != recorded)
        return proof->tick > recorded;
    return basis->has_places ? proof->record > death->records : recorded < basis->clock->now;
}

static void count_allocation(struct comparison *comparison, size_t allocation)
{
    struct compare_figures *figures = &comparison->figures;
    enum compare_class class = classify(comparison, allocation);
    figures->classes[class]++;
    if (class == CLASS_SAME)
        figures->same_alive += comparison->computed[allocation] == NEVER;
    if (class == CLASS_EARLY || class == CLASS_EXTRA)
        figures->impossible[class] += is_impossible(comparison, allocation);
}

/* Describes how far the recorded deaths of one class are from the computed ones. */
static enum status describe(const struct comparison *comparison, enum compare_class class,
                            struct distribution *distribution, struct failure *why)
{
    const struct compare_figures *figures = &comparison->figures;
    uint64_t *distances = array_new((size_t)figures->classes[class], sizeof *distances);
    if (!distances)
        return fail_memory(why);
    size_t count = 0;
    for (size_t i = 0; i < figures->allocations && count < figures->classes[class]; i++) {
        if (classify(comparison, i) != class)
            continue;
        struct span recorded = basis_span(comparison->basis, death_of(comparison, i));
        uint64_t computed = comparison->computed[i];
        distances[count++] =
            class == CLASS_EARLY ? computed - recorded.last : recorded.first - computed;
    }
    *distribution = figures_describe(distances, count);
    free(distances);
    return STATUS_OK;
}

static void count_deaths(struct comparison *comparison)
{
    struct compare_figures *figures = &comparison->figures;
    figures->deaths = comparison->basis->recorded->death_count;
    for (size_t i = 0; i < figures->deaths; i++) {
        figures->unknown += comparison->pairing.fates[i] == DEATH_UNKNOWN;
        figures->repeated += comparison->pairing.fates[i] == DEATH_REPEATED;
    }
}

enum status compare(struct comparison *comparison, const struct basis *basis,
                    const struct deaths *deaths, enum at_end at_end, struct failure *why)
{
    *comparison = (struct comparison){.basis = basis, .deaths = deaths, .at_end = at_end};
    struct compare_figures *figures = &comparison->figures;
    enum status status = list_computed(comparison, why);
    if (status == STATUS_OK)
        status = pairing_init(&comparison->pairing, basis, comparison->computed, why);
    if (status != STATUS_OK)
        return status;
    figures->allocations = basis->trace->allocation_count;
    for (size_t i = 0; i < figures->allocations; i++)
        count_allocation(comparison, i);
    count_deaths(comparison);
    status = describe(comparison, CLASS_EARLY, &figures->early, why);
    return status == STATUS_OK ? describe(comparison, CLASS_LATE, &figures->late, why) : status;
}

bool compare_agrees(const struct compare_figures *figures)
{
    return figures->classes[CLASS_SAME] == figures->allocations && figures->unknown == 0 &&
           figures->repeated == 0;
}

/* The part of a row that tells of the recorded death. */
static void describe_recorded(const struct comparison *comparison, size_t allocation,
                              struct compare_row *row)
{
    const struct basis *basis = comparison->basis;
    const struct recorded_death *death = death_of(comparison, allocation);
    if (!death)
        return;
    row->recorded_line = death->line;
    row->recorded = basis_shown_time(basis, death);
    if ((row->class == CLASS_EARLY || row->class == CLASS_EXTRA) &&
        is_impossible(comparison, allocation))
        row->used_line = recording_line(basis->trace, proof_of(comparison, allocation)->record);
}

struct compare_row compare_row(const struct comparison *comparison, size_t allocation)
{
    const struct basis *basis = comparison->basis;
    const struct heap *heap = &comparison->deaths->history->heap;
    const struct recorded_allocation *allocated = &basis->trace->allocations[allocation];
    uint64_t computed = comparison->computed[allocation];
    struct compare_row row = {
        .class = classify(comparison, allocation),
        .line = allocated->line,
        .object = allocated->object,
        .thread = frames_thread_id(
            heap->frames, objects_thread(heap->objects, node_of(comparison, allocation))),
        .allocated = clock_time(basis->clock, allocated->tick),
        .is_dead = computed != NEVER,
    };
    if (row.is_dead)
        row.computed = clock_time(basis->clock, computed);
    describe_recorded(comparison, allocation, &row);
    return row;
}

const char *compare_class_name(enum compare_class class)
{
    static const char *const names[CLASS_COUNT] = {"same", "early", "late", "missing", "extra"};
    return names[class];
}

const char *compare_fate_name(enum death_fate fate)
{
    static const char *const names[] = {
        [DEATH_PAIRED] = "paired", [DEATH_UNKNOWN] = "unknown", [DEATH_REPEATED] = "repeated"};
    return names[fate];
}

void compare_free(struct comparison *comparison)
{
    free(comparison->computed);
    pairing_free(&comparison->pairing);
    *comparison = (struct comparison){.basis = NULL};
}
