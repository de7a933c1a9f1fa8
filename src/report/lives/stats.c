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
    add_amount(&survival->eligible, life->size);
    if (!life->has_died || life_bytes(life) >= survival->limit)
        add_amount(&survival->survived, life->size);
}

/* Adds the phases of a life, as space-time. */
static void add_phases(struct stats *stats, const struct life *life,
                       const struct use_phases *phases)
{
    struct stats_phases *sums = &stats->phases[life_survives(life)];
    sums->lag += (wide_sum)life->size * phases->lag;
    sums->use += (wide_sum)life->size * phases->use;
    sums->drag += (wide_sum)life->size * phases->drag;
    sums->voids += (wide_sum)life->size * phases->voids;
}

/* Adds all but the phases. */
static void add_life(struct stats *stats, const struct life *life)
{
    uint64_t allocated_after = stats->bytes_in_all - life->born_bytes;
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

/* Adds a group of two or more objects. */
static void add_to_groups(struct stats *stats, uint64_t objects, uint64_t bytes, bool has_cycle)
{
    struct stats_groups *size_class = &stats->groups[group_class(objects)];
    size_class->groups++;
    size_class->cyclic += has_cycle;
    size_class->amount.objects += objects;
    size_class->amount.bytes += bytes;
}

/* Objects that died and are in no group of two or more are groups of one. */
static void add_singles(struct stats *stats)
{
    struct stats_groups *single = &stats->groups[0];
    for (unsigned cause = 0; cause < CAUSE_ALIVE_STATIC; cause++) {
        single->amount.objects += stats->causes[cause].objects;
        single->amount.bytes += stats->causes[cause].bytes;
    }
    for (size_t i = 1; i < STATS_GROUP_CLASSES; i++) {
        single->amount.objects -= stats->groups[i].amount.objects;
        single->amount.bytes -= stats->groups[i].amount.bytes;
    }
    single->groups = single->amount.objects;
}

static void classify_groups(struct stats *stats)
{
    size_t count;
    const struct group *groups = lives_groups(stats->lives, &count);
    for (size_t i = 0; i < count; i++)
        add_to_groups(stats, groups[i].objects, groups[i].bytes, groups[i].has_cycle);
    add_singles(stats);
}

static void set_limits(struct stats *stats)
{
    for (size_t i = 0; i < STATS_SURVIVALS; i++)
        stats->survivals[i].limit = survival_limits[i];
}

void stats_init(struct stats *stats, const char *name, const struct history *history,
                const struct places *places)
{
    *stats = (struct stats){.name = name,
                            .history = history,
                            .lives = places->lives,
                            .bytes_in_all = lives_bytes(places->lives),
                            .places = places};
    set_limits(stats);
}

enum status stats_study(struct stats *stats, struct failure *why)
{
    const struct lives *lives = stats->lives;
    for (size_t i = 0; i < lives_count(lives); i++) {
        struct life life = lives_life(lives, i);
        add_life(stats, &life);
        if (!stats_has_uses(stats) || life_dies_before_use(&life))
            continue;
        struct use_phases phases = uses_phases(lives, &life);
        add_phases(stats, &life, &phases);
    }
    classify_groups(stats);
    return describe_lives(stats, why);
}

/* Notes what is allocated at a site. */
static enum status add_to_site(struct stats *stats, uint64_t id, uint64_t type, uint64_t size,
                               struct tally **site, struct failure *why)
{
    *site = tallies_find(&stats->sites, id);
    if (!*site)
        return fail_memory(why);
    if ((*site)->objects == 0)
        (*site)->type = type;
    (*site)->has_types |= (*site)->type != type;
    tally_add_birth(*site, size);
    return STATUS_OK;
}

enum status stats_add(struct stats *stats, const struct record *record,
                      const struct tallied_life *life, struct failure *why)
{
    struct tally *site;
    add_amount(&stats->allocated[record->kind % RECORD_KINDS], life->size);
    enum status status = add_to_site(stats, record->site, record->type, life->size, &site, why);
    if (status == STATUS_OK)
        tally_add_life(site, life);
    return status;
}

/* Adds up what is allocated at sites, in the order of allocation. */
static enum status add_to_sites(struct stats *stats, const struct stored_lives *stored,
                                struct failure *why)
{
    struct birth_cursor *cursor = NULL;
    struct birth_facts birth;
    struct tally *site;
    enum status status = birth_cursor_open(&cursor, stored, why);
    while (status == STATUS_OK) {
        status = birth_cursor_next(cursor, &birth, why);
        if (status == STATUS_OK)
            status = add_to_site(stats, birth.site, birth.type, birth.size, &site, why);
    }
    birth_cursor_close(cursor);
    return status == STATUS_END ? STATUS_OK : status;
}

enum status stats_init_stored(struct stats *stats, const struct report_material *material,
                              struct failure *why)
{
    *stats = (struct stats){
        .name = material->trace,
        .history = material->history,
        .bytes_in_all = stored_lives_summary(material->stored)->end.bytes,
        .places = material->places,
    };
    set_limits(stats);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < STATS_ORDERS && status == STATUS_OK; i++)
        status = row_sort_open(&stats->orders[i], 2, material->place, why);
    return status == STATUS_OK ? add_to_sites(stats, material->stored, why) : status;
}

/* A stored life as the others are. */
static struct life life_of_facts(const struct life_facts *facts, bool has_died)
{
    return (struct life){
        .object = facts->object,
        .size = facts->size,
        .born = facts->born.tick,
        .born_bytes = facts->born.bytes,
        .last_use = facts->last_use.tick,
        .has_died = has_died,
        .died = facts->died.tick,
        .died_bytes = facts->died.bytes,
        .died_allocations = facts->died_allocations,
        .cause = facts->cause,
        .uses = facts->uses,
    };
}

/* Adds to what is described of lives that ended. */
static enum status add_to_orders(struct stats *stats, const struct life *life,
                                 struct failure *why)
{
    const uint64_t numbers[STATS_ORDERS] = {
        [STATS_TICKS] = life_ticks(life),
        [STATS_BYTES] = life_bytes(life),
        [STATS_DRAG] = life_drag(life),
    };
    enum status status = STATUS_OK;
    for (size_t i = 0; i < STATS_ORDERS && status == STATUS_OK; i++)
        status = row_sort_add(stats->orders[i], (const uint64_t[2]){numbers[i], 0}, why);
    return status;
}

enum status stats_add_stored(struct stats *stats, const struct life_facts *facts,
                             const struct tallied_life *tallied, struct failure *why)
{
    struct life life = life_of_facts(facts, tallied->has_died);
    const struct use_phases phases =
        uses_phases_of(facts->uses, facts->born.bytes, facts->first_use_bytes,
                       facts->last_use.bytes, facts->died.bytes);
    struct tally *site = tallies_find(&stats->sites, facts->site);
    if (!site)
        return fail_memory(why);
    tally_add_life(site, tallied);
    add_amount(&stats->allocated[facts->kind % RECORD_KINDS], facts->size);
    add_life(stats, &life);
    if (stats_has_uses(stats))
        add_phases(stats, &life, &phases);
    if (facts->is_first && facts->group_objects > 1)
        add_to_groups(stats, facts->group_objects, facts->group_bytes, facts->has_cycle);
    return life.has_died ? add_to_orders(stats, &life, why) : STATUS_OK;
}

/* Describes `count` numbers of which there is an order. */
static enum status describe_order(struct row_sort *order, uint64_t count,
                                  struct distribution *distribution, struct failure *why)
{
    struct describing describing = describing_begin((size_t)count);
    uint64_t row[2];
    enum status status = row_sort_finish(order, why);
    while (status == STATUS_OK) {
        status = row_sort_next(order, row, why);
        if (status == STATUS_OK)
            describing_add(&describing, row[0]);
    }
    *distribution = describing_end(&describing);
    return status == STATUS_END ? STATUS_OK : status;
}

static enum status complete_stored(struct stats *stats, struct failure *why)
{
    struct distribution *distributions[STATS_ORDERS] = {
        [STATS_TICKS] = &stats->ticks,
        [STATS_BYTES] = &stats->bytes,
        [STATS_DRAG] = &stats->drag,
    };
    enum status status = STATUS_OK;
    add_singles(stats);
    for (size_t i = 0; i < STATS_ORDERS && status == STATUS_OK; i++)
        status = describe_order(stats->orders[i], stats->died.objects, distributions[i], why);
    return status;
}

enum status stats_complete(struct stats *stats, struct failure *why)
{
    return stats->lives ? STATUS_OK : complete_stored(stats, why);
}

uint64_t stats_events(const struct stats *stats, unsigned kind)
{
    if (kind == RECORD_DEATH && stats->assumptions)
        return stats->died.objects;
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
    for (size_t i = 0; i < STATS_ORDERS; i++)
        row_sort_close(stats->orders[i]);
    tallies_free(&stats->sites);
}
