/* SPDX-License-Identifier: MIT */
/* Rows by death, which are of a context and type, are added up by what is counted, and the
 * places with the most bytes are taken until there are enough. */
#include "report/lives/death_shares.h"

#include "base/memory.h"

#include <stdlib.h>

const unsigned death_share_percents[DEATH_SHARES] = {50, 80, 95};

/* Bytes that die in a context, or method. */
struct place_bytes {
    uint32_t place;
    uint64_t bytes;
};

static int order_by_place(const void *left, const void *right)
{
    const struct place_bytes *a = left, *b = right;
    return (a->place > b->place) - (a->place < b->place);
}

static int order_by_bytes(const void *left, const void *right)
{
    const struct place_bytes *a = left, *b = right;
    return (a->bytes < b->bytes) - (a->bytes > b->bytes);
}

/* Leaves one of each place; returns how many these are. */
static size_t add_up(struct place_bytes *all, size_t count)
{
    size_t places = 0;
    qsort(all, count, sizeof *all, order_by_place);
    for (size_t i = 0; i < count; i++)
        if (places > 0 && all[places - 1].place == all[i].place)
            all[places - 1].bytes += all[i].bytes;
        else
            all[places++] = all[i];
    qsort(all, places, sizeof *all, order_by_bytes);
    return places;
}

/* The fewest of the places, the largest first, that have so many percent of all bytes. */
static uint64_t fewest(const struct place_bytes *all, size_t count, unsigned percent)
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

enum status death_shares_find(struct death_share *shares, const struct places *places,
                              struct failure *why)
{
    const struct tallies *deaths = &places->by_death.tallies;
    struct place_bytes *all = array_new(deaths->count, sizeof *all);
    if (!all)
        return fail_memory(why);
    for (unsigned by_method = 0; by_method < 2; by_method++) {
        size_t count = 0;
        for (size_t i = 0; i < deaths->count; i++) {
            const struct tally *death = &deaths->items[i];
            uint32_t method = contexts_method_number(places->contexts, death->context);
            if (!death->is_alive)
                all[count++] =
                    (struct place_bytes){by_method ? method : death->context, death->bytes};
        }
        count = add_up(all, count);
        for (size_t i = 0; i < DEATH_SHARES; i++)
            *(by_method ? &shares[i].methods : &shares[i].contexts) =
                fewest(all, count, death_share_percents[i]);
    }
    free(all);
    return STATUS_OK;
}
