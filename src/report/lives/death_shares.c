/* SPDX-License-Identifier: MIT */
/* Rows by death, which are of a context and type, are added up by what is counted, and the
 * sites with the most bytes are taken until there are enough. */
#include "report/lives/death_shares.h"

#include "base/memory.h"

#include <stdlib.h>

const unsigned death_share_percents[DEATH_SHARES] = {50, 80, 95};

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
static size_t add_up(struct site_bytes *all, size_t count)
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

/* The fewest of the sites, the largest first, that have so many percent of all bytes. */
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

enum status death_shares_find(struct death_share *shares, const struct site_sums *sums,
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
        count = add_up(all, count);
        for (size_t i = 0; i < DEATH_SHARES; i++)
            *(by_method ? &shares[i].methods : &shares[i].contexts) =
                fewest(all, count, death_share_percents[i]);
    }
    free(all);
    return STATUS_OK;
}
