#include "report/tallies.h"

#include "base/memory.h"

#include <stdlib.h>

struct tally *tallies_find(struct tallies *tallies, uint64_t id)
{
    uint64_t *number = map_insert(&tallies->index, id);
    if (!number)
        return NULL;
    if (*number > 0)
        return &tallies->items[*number - 1];
    struct tally *items =
        array_grow(tallies->items, &tallies->capacity, tallies->count + 1, sizeof *items);
    if (!items)
        return NULL;
    tallies->items = items;
    items[tallies->count] = (struct tally){.id = id};
    *number = ++tallies->count;
    return &items[*number - 1];
}

wide_sum tally_rank(const struct tally *tally, enum ranking ranking)
{
    switch (ranking) {
    case RANK_OBJECTS:
        return tally->objects;
    case RANK_BYTES:
        return tally->bytes;
    case RANK_LIFETIME:
        return tally->deaths > 0 ? figures_mean(tally->lifetime, tally->deaths) + 1 : 0;
    case RANK_LIVE:
        return tally->live;
    case RANKINGS:
        break;
    }
    return 0;
}

struct ranked {
    wide_sum rank;
    const struct tally *tally;
};

static int order_ranked(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    if (a->rank != b->rank)
        return a->rank > b->rank ? -1 : 1;
    return (a->tally->id > b->tally->id) - (a->tally->id < b->tally->id);
}

enum status tallies_rank(const struct tallies *tallies, enum ranking ranking, size_t top,
                         const struct tally ***ranked, size_t *count, struct failure *why)
{
    struct ranked *all = array_new(tallies->count, sizeof *all);
    if (!all)
        return fail_memory(why);
    size_t with_rank = 0;
    for (size_t i = 0; i < tallies->count; i++) {
        wide_sum rank = tally_rank(&tallies->items[i], ranking);
        if (rank > 0)
            all[with_rank++] = (struct ranked){rank, &tallies->items[i]};
    }
    qsort(all, with_rank, sizeof *all, order_ranked);
    *count = with_rank < top ? with_rank : top;
    *ranked = array_new(*count, sizeof **ranked);
    for (size_t i = 0; *ranked && i < *count; i++)
        (*ranked)[i] = all[i].tally;
    free(all);
    return *ranked ? STATUS_OK : fail_memory(why);
}

void tallies_free(struct tallies *tallies)
{
    map_free(&tallies->index);
    free(tallies->items);
    *tallies = (struct tallies){.items = NULL};
}
