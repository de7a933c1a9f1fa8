/* What only takes the lives of objects is found before the second reading; what takes types and
 * sites, while allocation records come by in it, since nothing keeps these by object. */
#include "report/stats.h"

#include "base/memory.h"

#include <stdlib.h>

#define KIB UINT64_C(1024)

static const uint64_t survival_limits[STATS_SURVIVALS] = {
    4 * KIB, 32 * KIB, 256 * KIB, 1024 * KIB, 4096 * KIB, 16384 * KIB,
};

const struct stats_kind stats_kinds[STATS_KINDS] = {
    {RECORD_OBJECT, "N objects allocated"},
    {RECORD_ARRAY, "A arrays allocated"},
    {RECORD_INITIAL, "I initial objects"},
    {RECORD_PREEXISTING, "P pre-existing objects"},
    {RECORD_VM, "V objects of the VM"},
    {RECORD_ENTRY, "M method entries"},
    {RECORD_EXIT, "E method exits"},
    {RECORD_EXCEPTION_EXIT, "X exits by exception"},
    {RECORD_THROW, "T throws"},
    {RECORD_CATCH, "H catches"},
    {RECORD_UPDATE, "U reference updates"},
    {RECORD_WITNESS, "W witnesses"},
    {RECORD_DEATH, "D deaths"},
};

static void add_amount(struct stats_amount *amount, uint64_t bytes)
{
    amount->objects++;
    amount->bytes += bytes;
}

static bool has_died(const struct life *life)
{
    return life->died != NEVER;
}

static void find_peaks(struct stats *stats)
{
    struct live_walk walk;
    live_start(&walk, stats->ledger);
    while (live_next(&walk)) {
        if (walk.point.objects > stats->most_objects.objects)
            stats->most_objects = walk.point;
        if (walk.point.size > stats->most_bytes.size) {
            stats->most_bytes = walk.point;
            stats->born_at_peak = walk.born;
        }
    }
}

static void add_survival(struct stats_survival *survival, const struct life *life,
                         uint64_t allocated_after)
{
    if (allocated_after < survival->limit)
        return;
    add_amount(&survival->asked, life->size);
    if (!has_died(life) || life_bytes(life) >= survival->limit)
        add_amount(&survival->survived, life->size);
}

static void add_life(struct stats *stats, const struct life *life)
{
    uint64_t allocated_after = ledger_bytes(stats->ledger) - life->born_bytes;
    add_amount(has_died(life) ? &stats->died : &stats->alive, life->size);
    if (life->uses == 1)
        add_amount(&stats->used_once, life->size);
    if (life->cause < CAUSE_COUNT)
        add_amount(&stats->causes[life->cause], life->size);
    for (size_t i = 0; i < STATS_SURVIVALS; i++)
        add_survival(&stats->survivals[i], life, allocated_after);
}

/* Describes a number that each life which ended has. `numbers` has room for all of them. */
static struct distribution describe(const struct stats *stats, uint64_t *numbers,
                                    uint64_t (*number)(const struct life *life))
{
    size_t count = ledger_death_count(stats->ledger);
    for (size_t i = 0; i < count; i++) {
        struct life life = ledger_life(stats->ledger, ledger_death(stats->ledger, i));
        numbers[i] = number(&life);
    }
    return figures_describe(numbers, count);
}

static enum status describe_lives(struct stats *stats, struct failure *why)
{
    uint64_t *numbers = array_new(ledger_death_count(stats->ledger), sizeof *numbers);
    if (!numbers)
        return fail_memory(why);
    stats->ticks = describe(stats, numbers, life_ticks);
    stats->bytes = describe(stats, numbers, life_bytes);
    stats->drag = describe(stats, numbers, life_drag);
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
    const struct group *groups = ledger_groups(stats->ledger, &count);
    struct stats_groups *single = &stats->groups[0];
    for (unsigned cause = 0; cause < CAUSE_ALIVE_STATIC; cause++) {
        single->amount.objects += stats->causes[cause].objects;
        single->amount.bytes += stats->causes[cause].bytes;
    }
    for (size_t i = 0; i < count; i++) {
        struct stats_groups *class = &stats->groups[group_class(groups[i].objects)];
        class->groups++;
        class->cyclic += groups[i].has_cycle;
        class->amount.objects += groups[i].objects;
        class->amount.bytes += groups[i].bytes;
        single->amount.objects -= groups[i].objects;
        single->amount.bytes -= groups[i].bytes;
    }
    single->groups = single->amount.objects;
}

enum status stats_init(struct stats *stats, const char *name, const struct history *history,
                       const struct ledger *ledger, struct failure *why)
{
    *stats = (struct stats){.name = name, .history = history, .ledger = ledger};
    for (size_t i = 0; i < STATS_SURVIVALS; i++)
        stats->survivals[i].limit = survival_limits[i];
    find_peaks(stats);
    for (size_t i = 0; i < ledger_count(ledger); i++) {
        struct life life = ledger_life(ledger, i);
        add_life(stats, &life);
    }
    classify_groups(stats);
    return describe_lives(stats, why);
}

/* Whether the object lives just after the boundary after which most bytes do. */
static bool lives_at_peak(const struct stats *stats, size_t allocation, const struct life *life)
{
    bool is_alive = life->cause >= CAUSE_ALIVE_STATIC && life->cause < CAUSE_COUNT;
    return allocation < stats->born_at_peak &&
           (is_alive || !has_died(life) || life->died > stats->most_bytes.tick);
}

static void add_to_tally(struct tally *tally, const struct life *life, bool lives_at_peak)
{
    tally->objects++;
    tally->bytes += life->size;
    if (has_died(life)) {
        tally->deaths++;
        tally->lifetime += life_bytes(life);
    }
    if (lives_at_peak)
        tally->live += life->size;
}

enum status stats_add(struct stats *stats, const struct record *record, struct failure *why)
{
    struct tally *type = tallies_find(&stats->types, record->type);
    struct tally *site = tallies_find(&stats->sites, record->site);
    if (!type || !site)
        return fail_memory(why);
    size_t allocation = stats->next++;
    struct life life = ledger_life(stats->ledger, allocation);
    bool at_peak = lives_at_peak(stats, allocation, &life);
    add_amount(&stats->allocated[record->kind & 127], life.size);
    if (site->objects == 0)
        site->type = record->type;
    site->has_types |= site->type != record->type;
    add_to_tally(type, &life, at_peak);
    add_to_tally(site, &life, at_peak);
    return STATUS_OK;
}

uint64_t stats_events(const struct stats *stats, enum record_kind kind)
{
    if (kind == RECORD_DEATH && stats->assumptions)
        return ledger_death_count(stats->ledger);
    return stats->history->counts.records[kind];
}

bool stats_has_uses(const struct stats *stats)
{
    for (size_t i = 0; i < STATS_KINDS; i++) {
        enum record_kind kind = stats_kinds[i].kind;
        if (!record_is_allocation(kind) && kind != RECORD_DEATH &&
            stats_events(stats, kind) > 0)
            return true;
    }
    return false;
}

struct stats_amount stats_allocated(const struct stats *stats)
{
    return (struct stats_amount){stats->died.objects + stats->alive.objects,
                                 stats->died.bytes + stats->alive.bytes};
}

void stats_free(struct stats *stats)
{
    tallies_free(&stats->types);
    tallies_free(&stats->sites);
}
