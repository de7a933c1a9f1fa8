/* SPDX-License-Identifier: MIT */
/* All but the longest tick, which births show, is added up as lives come, in the order of
 * death. Quantiles need numbers in ascending order, so these are sorted in temporary files. */
#include "report/stats/stats.h"

#include "base/memory.h"

#include <stdlib.h>

const unsigned death_share_percents[DEATH_SHARES] = {50, 80, 95};

#define KIB UINT64_C(1024)

static const uint64_t survival_limits[STATS_SURVIVALS] = {
    4 * KIB, 32 * KIB, 256 * KIB, 1024 * KIB, 4096 * KIB, 16384 * KIB,
};

static void add_survival(struct stats_survival *survival, const struct life_facts *life,
                         uint64_t allocated_after)
{
    if (allocated_after < survival->limit)
        return;
    amount_add(&survival->eligible, life->size);
    if (life_bytes(life) >= survival->limit)
        amount_add(&survival->survived, life->size);
}

/* Adds the phases of a life. They add up to all of it; of what is alive at the end, to the
 * bytes that were allocated after it.
 *
 * Uses are known by their ticks. In bytes the first is taken to be at the beginning of its tick
 * and the last at the end: so neither lag nor drag is reported too large, and what is used in
 * the tick of its allocation has no lag, what dies at the boundary after its last use no drag.
 */
static void add_phases(struct stats *stats, const struct life_facts *life)
{
    struct stats_phases *sums = &stats->phases[!life->has_died];
    uint64_t born = life->born.bytes, last = life->last_use.bytes, end = life->died.bytes;
    uint64_t first = life->first_use_bytes < born ? born : life->first_use_bytes;
    if (life->uses < 2) {
        sums->voids += (wide_sum)life->size * (end - born);
        return;
    }
    sums->lag += (wide_sum)life->size * (first - born);
    sums->use += (wide_sum)life->size * (last - first);
    sums->drag += (wide_sum)life->size * (end - last);
}

/* Adds all but the phases. */
static void add_life(struct stats *stats, const struct life_facts *life)
{
    if (life_is_prior(life)) {
        amount_add(life->has_died ? &stats->prior_died : &stats->prior_alive, life->size);
        return;
    }
    uint64_t allocated_after = stats->bytes_in_all - life->born.bytes;
    amount_add(life->has_died ? &stats->died : &stats->alive, life->size);
    if (life->uses == 1)
        amount_add(&stats->used_once, life->size);
    if (life->dies_before_use) {
        if (stats->died_before_use.objects < STATS_NAMED)
            stats->named[stats->died_before_use.objects] = life->object;
        amount_add(&stats->died_before_use, life->size);
    }
    if (life->cause < CAUSE_COUNT)
        amount_add(&stats->causes[life->cause], life->size);
    amount_add(&stats->ages[age_at_death(life)], life->size);
    amount_add(&stats->outlived[outlived_class(life)], life->size);
    amount_add(&stats->sharing[life->is_shared], life->size);
    for (size_t i = 0; i < STATS_SURVIVALS; i++)
        add_survival(&stats->survivals[i], life, allocated_after);
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

static void set_limits(struct stats *stats)
{
    for (size_t i = 0; i < STATS_SURVIVALS; i++)
        stats->survivals[i].limit = survival_limits[i];
}

enum status stats_init(struct stats *stats, const struct report *report, struct failure *why)
{
    const struct report_material *material = report->material;
    *stats = (struct stats){
        .name = material->trace,
        .reading = material->reading,
        .digest = material->digest,
        .pass = material->pass,
        .end_tick = life_stream_summary(material->stream)->end.tick,
        .bytes_in_all = life_stream_summary(material->stream)->end.bytes,
        .unfinished = material->reader->unfinished,
        .assumptions = material->is_recorded ? NULL : &material->assumptions,
        .level = material->reader->mark.level,
        .sums = report->sums,
    };
    set_limits(stats);
    for (size_t i = 0; i < STATS_ORDERS; i++)
        TRY(row_sort_open(&stats->orders[i], 1, 1, material->temporary, why));
    return longest_tick_find(&stats->longest_tick, material->stream, why);
}

static enum status add_to_order(struct stats *stats, size_t order, uint64_t number,
                                struct failure *why)
{
    stats->order_counts[order]++;
    return row_sort_add(stats->orders[order], &number, why);
}

/* Adds a life that ended to what is described. */
static enum status add_to_orders(struct stats *stats, const struct life_facts *life,
                                 struct failure *why)
{
    TRY(add_to_order(stats, STATS_TICKS, life_ticks(life), why));
    TRY(add_to_order(stats, STATS_BYTES, life_bytes(life), why));
    if (life->dies_before_use)
        return STATUS_OK;
    return add_to_order(stats, STATS_DRAG, life_drag_ticks(life), why);
}

/* Adds a life to the site of its allocation. */
static enum status add_to_site(struct stats *stats, const struct life_facts *life,
                               struct failure *why)
{
    struct tally *site = tallies_find(&stats->sites, life->site);
    if (!site)
        return fail_memory(why);
    if (site->objects == 0)
        site->type = life->type;
    site->has_types |= site->type != life->type;
    tally_add_birth(site, life->size);
    tally_add_life(site, &stats->sums->tallied);
    return STATUS_OK;
}

enum status stats_add(struct stats *stats, const struct life_facts *life, struct failure *why)
{
    amount_add(&stats->allocated[life->kind % RECORD_KINDS], life->size);
    add_life(stats, life);
    stats->space_time += (wide_sum)life->size * life_bytes(life);
    if (life_is_prior(life))
        return STATUS_OK;
    TRY(add_to_site(stats, life, why));
    if (stats_has_uses(stats) && !life->dies_before_use)
        add_phases(stats, life);
    if (life->is_first && life->group_objects > 1)
        add_to_groups(stats, life->group_objects, life->group_bytes, life->has_cycle);
    TRY(add_to_order(stats, STATS_SIZES, life->size, why));
    return life->has_died ? add_to_orders(stats, life, why) : STATUS_OK;
}

/* Describes `count` numbers, which `order` sorts. */
static enum status describe_order(struct row_sort *order, uint64_t count,
                                  struct distribution *distribution, struct failure *why)
{
    struct describing describing = describing_begin((size_t)count);
    uint64_t number;
    enum status status = row_sort_finish(order, why);
    while (status == STATUS_OK) {
        status = row_sort_next(order, &number, why);
        if (status == STATUS_OK)
            describing_add(&describing, number);
    }
    *distribution = describing_end(&describing);
    return status == STATUS_END ? STATUS_OK : status;
}

/* Bytes that die in a context, or method. */
struct site_bytes {
    uint32_t site;
    uint64_t bytes;
};

static int order_by_site(const void *left, const void *right)
{
    const struct site_bytes *a = left, *b = right;
    return (a->site > b->site) - (a->site < b->site);
}

static int order_by_bytes(const void *left, const void *right)
{
    const struct site_bytes *a = left, *b = right;
    return (a->bytes < b->bytes) - (a->bytes > b->bytes);
}

/* Leaves one of each site; returns how many these are. */
static size_t add_up_sites(struct site_bytes *all, size_t count)
{
    size_t sites = 0;
    qsort(all, count, sizeof *all, order_by_site);
    for (size_t i = 0; i < count; i++)
        if (sites > 0 && all[sites - 1].site == all[i].site)
            all[sites - 1].bytes += all[i].bytes;
        else
            all[sites++] = all[i];
    qsort(all, sites, sizeof *all, order_by_bytes);
    return sites;
}

/* How few of the sites, the largest first, have `percent` percent of all bytes. */
static uint64_t fewest(const struct site_bytes *all, size_t count, unsigned percent)
{
    wide_sum sum = 0, enough = 0;
    for (size_t i = 0; i < count; i++)
        enough += (wide_sum)all[i].bytes * percent;
    for (size_t i = 0; i < count; i++) {
        if (sum * 100 >= enough)
            return i;
        sum += all[i].bytes;
    }
    return count;
}

/* Finds the shares of *sums, which have pairs and are finished: rows by death, which are of a
 * context and type, are added up by what is counted, and the sites with the most bytes are
 * taken until there are enough. */
static enum status find_death_shares(struct death_share *shares, const struct site_sums *sums,
                                     struct failure *why)
{
    const struct tallies *deaths = &sums->by_death.tallies;
    struct site_bytes *all = array_new(deaths->count, sizeof *all);
    if (!all)
        return fail_memory(why);
    for (unsigned by_method = 0; by_method < 2; by_method++) {
        size_t count = 0;
        for (size_t i = 0; i < deaths->count; i++) {
            const struct tally *death = &deaths->items[i];
            uint32_t method = contexts_method_number(sums->contexts, death->context);
            if (!death->is_alive)
                all[count++] =
                    (struct site_bytes){by_method ? method : death->context, death->bytes};
        }
        count = add_up_sites(all, count);
        for (size_t i = 0; i < DEATH_SHARES; i++)
            *(by_method ? &shares[i].methods : &shares[i].contexts) =
                fewest(all, count, death_share_percents[i]);
    }
    free(all);
    return STATUS_OK;
}

enum status stats_complete(struct stats *stats, const struct marking_costs *marking,
                           struct failure *why)
{
    struct distribution *distributions[STATS_ORDERS] = {
        [STATS_TICKS] = &stats->ticks,
        [STATS_BYTES] = &stats->bytes,
        [STATS_DRAG] = &stats->drag,
        [STATS_SIZES] = &stats->sizes,
    };
    stats->marking = marking;
    add_singles(stats);
    if (stats->sums->has_pairs)
        TRY(find_death_shares(stats->shares, stats->sums, why));
    for (size_t i = 0; i < STATS_ORDERS; i++)
        TRY(describe_order(stats->orders[i], stats->order_counts[i], distributions[i], why));
    return STATUS_OK;
}

uint64_t stats_events(const struct stats *stats, unsigned kind)
{
    if (kind == RECORD_DEATH && stats->assumptions)
        return stats->died.objects + stats->prior_died.objects;
    return stats->pass->counts.records[kind];
}

struct stats_phases stats_all_phases(const struct stats *stats)
{
    const struct stats_phases *died = &stats->phases[0], *alive = &stats->phases[1];
    return (struct stats_phases){.lag = died->lag + alive->lag,
                                 .use = died->use + alive->use,
                                 .drag = died->drag + alive->drag,
                                 .voids = died->voids + alive->voids};
}

bool stats_has_uses(const struct stats *stats)
{
    return stats->sums->has_uses;
}

struct amount stats_allocated(const struct stats *stats)
{
    return amount_sum(stats->died, stats->alive);
}

struct amount stats_prior(const struct stats *stats)
{
    return amount_sum(stats->prior_died, stats->prior_alive);
}

void stats_free(struct stats *stats)
{
    for (size_t i = 0; i < STATS_ORDERS; i++)
        row_sort_close(stats->orders[i]);
    tallies_free(&stats->sites);
}
