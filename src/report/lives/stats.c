/* SPDX-License-Identifier: MIT */
/* What only takes the lives of objects is found beside the second reading; what takes types and
 * sites, while allocation records come by in it, since nothing keeps these by object. */
#include "report/lives/stats.h"

#include "base/memory.h"
#include "report/lives/uses.h"

#include <stdlib.h>

#define KIB UINT64_C(1024)

static const uint64_t survival_limits[STATS_SURVIVALS] = {
    4 * KIB, 32 * KIB, 256 * KIB, 1024 * KIB, 4096 * KIB, 16384 * KIB,
};

static void add_amount(struct stats_amount *amount, uint64_t bytes)
{
    amount->objects++;
    amount->bytes += bytes;
}

static void add_survival(struct stats_survival *survival, const struct life *life,
                         uint64_t allocated_after)
{
    if (allocated_after < survival->limit)
        return;
    add_amount(&survival->asked, life->size);
    if (!life->has_died || life_bytes(life) >= survival->limit)
        add_amount(&survival->survived, life->size);
}

/* Adds the phases of a life, as space-time. */
static void add_phases(struct stats *stats, const struct life *life)
{
    struct use_phases phases = uses_phases(stats->lives, life);
    struct stats_phases *sums = &stats->phases[life_survives(life)];
    sums->lag += (wide_sum)life->size * phases.lag;
    sums->use += (wide_sum)life->size * phases.use;
    sums->drag += (wide_sum)life->size * phases.drag;
    sums->voids += (wide_sum)life->size * phases.voids;
}

static void add_life(struct stats *stats, const struct life *life)
{
    uint64_t allocated_after = lives_bytes(stats->lives) - life->born_bytes;
    add_amount(life->has_died ? &stats->died : &stats->alive, life->size);
    if (life->uses == 1)
        add_amount(&stats->used_once, life->size);
    if (life_dies_before_use(life)) {
        if (stats->died_before_use.objects < STATS_NAMED)
            stats->named[stats->died_before_use.objects] = life->object;
        add_amount(&stats->died_before_use, life->size);
    }
    if (life->cause < CAUSE_COUNT)
        add_amount(&stats->causes[life->cause], life->size);
    for (size_t i = 0; i < STATS_SURVIVALS; i++)
        add_survival(&stats->survivals[i], life, allocated_after);
    if (stats_has_uses(stats) && !life_dies_before_use(life))
        add_phases(stats, life);
}

static bool has_drag(const struct life *life)
{
    return !life_dies_before_use(life);
}

/* Describes a number that each life which ended has, if `has` is NULL or says so. `numbers` has
 * room for all of them. */
static struct distribution stats_describe(const struct stats *stats, uint64_t *numbers,
                                          uint64_t (*number)(const struct life *life),
                                          bool (*has)(const struct life *life))
{
    size_t count = 0;
    for (size_t i = 0; i < lives_count(stats->lives); i++) {
        struct life life = lives_life(stats->lives, i);
        if (life.has_died && (!has || has(&life)))
            numbers[count++] = number(&life);
    }
    return figures_describe(numbers, count);
}

static enum status describe_lives(struct stats *stats, struct failure *why)
{
    uint64_t *numbers = array_new(lives_death_count(stats->lives), sizeof *numbers);
    if (!numbers)
        return fail_memory(why);
    stats->ticks = stats_describe(stats, numbers, life_ticks, NULL);
    stats->bytes = stats_describe(stats, numbers, life_bytes, NULL);
    stats->drag = stats_describe(stats, numbers, life_drag, has_drag);
    free(numbers);
    return STATUS_OK;
}

/* The least i with `objects` <= 2^i. */
static unsigned group_class(uint64_t objects)
{
    return objects < 2 ? 0 : 64 - (unsigned)__builtin_clzll(objects - 1);
}

/* Objects that died and are in no group of two or more are groups of one. */
static void classify_groups(struct stats *stats)
{
    size_t count;
    const struct group *groups = lives_groups(stats->lives, &count);
    struct stats_groups *single = &stats->groups[0];
    for (unsigned cause = 0; cause < CAUSE_ALIVE_STATIC; cause++) {
        single->amount.objects += stats->causes[cause].objects;
        single->amount.bytes += stats->causes[cause].bytes;
    }
    for (size_t i = 0; i < count; i++) {
        struct stats_groups *size_class = &stats->groups[group_class(groups[i].objects)];
        size_class->groups++;
        size_class->cyclic += groups[i].has_cycle;
        size_class->amount.objects += groups[i].objects;
        size_class->amount.bytes += groups[i].bytes;
        single->amount.objects -= groups[i].objects;
        single->amount.bytes -= groups[i].bytes;
    }
    single->groups = single->amount.objects;
}

void stats_init(struct stats *stats, const char *name, const struct history *history,
                const struct places *places)
{
    *stats = (struct stats){
        .name = name, .history = history, .lives = places->lives, .places = places};
    for (size_t i = 0; i < STATS_SURVIVALS; i++)
        stats->survivals[i].limit = survival_limits[i];
}

enum status stats_study(struct stats *stats, struct failure *why)
{
    for (size_t i = 0; i < lives_count(stats->lives); i++) {
        struct life life = lives_life(stats->lives, i);
        add_life(stats, &life);
    }
    classify_groups(stats);
    return describe_lives(stats, why);
}

enum status stats_add(struct stats *stats, const struct record *record, const struct life *life,
                      struct failure *why)
{
    struct tally *site = tallies_find(&stats->sites, record->site);
    if (!site)
        return fail_memory(why);
    add_amount(&stats->allocated[record->kind % RECORD_KINDS], life->size);
    if (site->objects == 0)
        site->type = record->type;
    site->has_types |= site->type != record->type;
    places_tally(stats->places, site, life, stats->places->next - 1);
    return STATUS_OK;
}

uint64_t stats_events(const struct stats *stats, unsigned kind)
{
    if (kind == RECORD_DEATH && stats->assumptions)
        return lives_death_count(stats->lives);
    return stats->history->counts.records[kind];
}

bool stats_has_uses(const struct stats *stats)
{
    return stats->places->has_uses;
}

struct stats_amount stats_allocated(const struct stats *stats)
{
    return (struct stats_amount){stats->died.objects + stats->alive.objects,
                                 stats->died.bytes + stats->alive.bytes};
}

void stats_free(struct stats *stats)
{
    tallies_free(&stats->sites);
}
