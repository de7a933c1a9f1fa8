/* SPDX-License-Identifier: MIT */
/* Pairs of contexts are sorted by their methods, so that pairs of the same two methods follow
 * each other, and can be added up. */
#include "report/page/page_pairs.h"

#include "base/memory.h"

#include <stdlib.h>

static int order_by_methods(const void *left, const void *right)
{
    const struct page_pair *a = left, *b = right;
    if (a->allocates != b->allocates)
        return a->allocates < b->allocates ? -1 : 1;
    return (a->kills > b->kills) - (a->kills < b->kills);
}

static int order_by_size(const void *left, const void *right)
{
    const struct page_pair *a = left, *b = right;
    if (a->bytes != b->bytes)
        return a->bytes > b->bytes ? -1 : 1;
    if (a->objects != b->objects)
        return a->objects > b->objects ? -1 : 1;
    return order_by_methods(left, right);
}

/* Adds up neighbours with the same methods; returns how many pairs are left. */
static size_t join_pairs(struct page_pair *pairs, size_t count)
{
    size_t joined = 0;
    for (size_t i = 0; i < count; i++) {
        if (joined == 0 || order_by_methods(&pairs[joined - 1], &pairs[i]) != 0) {
            pairs[joined++] = pairs[i];
            continue;
        }
        pairs[joined - 1].objects += pairs[i].objects;
        pairs[joined - 1].bytes += pairs[i].bytes;
    }
    return joined;
}

enum status page_pairs_find(struct page_pair **pairs, size_t *count,
                            const struct site_sums *sums, size_t most, struct failure *why)
{
    const struct tallies *all = &sums->by_pair.tallies;
    struct page_pair *found = *pairs = array_new(all->count, sizeof *found);
    *count = 0;
    if (!found)
        return fail_memory(why);
    for (size_t i = 0; i < all->count; i++) {
        const struct tally *pair = &all->items[i];
        if (!pair->is_alive)
            found[(*count)++] =
                (struct page_pair){contexts_method_number(sums->contexts, pair->context),
                                   contexts_method_number(sums->contexts, pair->death_context),
                                   pair->objects, pair->bytes};
    }
    qsort(found, *count, sizeof *found, order_by_methods);
    *count = join_pairs(found, *count);
    qsort(found, *count, sizeof *found, order_by_size);
    if (*count > most)
        *count = most;
    return STATUS_OK;
}
