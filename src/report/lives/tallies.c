/* SPDX-License-Identifier: MIT */
/* Tallies are an array, and a map leads from ids to their numbers. Objects of a kind come in a
 * row, so a small cache keeps the numbers of recent ids. Rankings sort pointers to tallies at
 * the end, since there may be as many sites as objects.
 *
 * The classes by frames grow, since an object that outlives ten frames is as far from the stack
 * as one that outlives twelve. */
#include "report/lives/tallies.h"

#include "base/hash.h"
#include "base/memory.h"
#include "trace/record.h"

#include <stdlib.h>

bool uses_are_recorded(const struct pass *pass)
{
    for (size_t i = 0; i < record_layout_count; i++) {
        unsigned kind = record_layouts[i].kind;
        if (!record_is_allocation(kind) && kind != RECORD_DEATH &&
            pass->counts.records[kind] > 0)
            return true;
    }
    return false;
}

static const struct {
    const char *key, *label;
    uint64_t most; /* frames */
} classes[OUTLIVED_CLASSES] = {
    [OUTLIVED_0] = {"0", "0: could be on the stack", 0},
    [OUTLIVED_1] = {"1", "1", 1},
    [OUTLIVED_2] = {"2", "2", 2},
    [OUTLIVED_3_TO_5] = {"3_to_5", "3 to 5", 5},
    [OUTLIVED_6_TO_10] = {"6_to_10", "6 to 10", 10},
    [OUTLIVED_MORE] = {"more", "more", UINT64_MAX},
    [OUTLIVED_NO_FRAME] = {"no_frame", "no frame was open", 0},
    [OUTLIVED_ALIVE] = {"alive", "alive at the end", 0},
};

enum age_at_death age_at_death(const struct life_facts *life)
{
    if (life->survives)
        return AGE_ALIVE;
    return life_bytes(life) < YOUNG_BYTES ? AGE_YOUNG : AGE_OLDER;
}

enum outlived outlived_class(const struct life_facts *life)
{
    unsigned found = OUTLIVED_0;
    if (life->survives)
        return OUTLIVED_ALIVE;
    if (!life->has_outlived)
        return OUTLIVED_NO_FRAME;
    while (life->frames_outlived > classes[found].most)
        found++;
    return (enum outlived)found;
}

const char *outlived_key(enum outlived outlived)
{
    return classes[outlived].key;
}

const char *outlived_label(enum outlived outlived)
{
    return classes[outlived].label;
}

/* Adds an empty tally, and sets *number, which is in the index, to its number. */
static struct tally *add_tally(struct tallies *tallies, uint64_t id, uint64_t *number)
{
    if (!ARRAY_RESERVE(tallies->items, tallies->capacity, tallies->count + 1))
        return NULL;
    struct tally *items = tallies->items;
    items[tallies->count] = (struct tally){.id = id};
    *number = ++tallies->count;
    return &items[*number - 1];
}

struct tally *tallies_find(struct tallies *tallies, uint64_t id)
{
    struct recent_tally *recent = &tallies->recent[hash_slot(id, RECENT_TALLY_BITS)];
    if (recent->number > 0 && recent->id == id)
        return &tallies->items[recent->number - 1];
    uint64_t *number = map_insert(&tallies->index, id);
    if (!number)
        return NULL;
    struct tally *tally =
        *number > 0 ? &tallies->items[*number - 1] : add_tally(tallies, id, number);
    if (tally)
        *recent = (struct recent_tally){id, *number};
    return tally;
}

size_t tallies_known(const struct tallies *tallies, uint64_t id)
{
    return (size_t)*map_find(&tallies->index, id) - 1;
}

void tally_add_birth(struct tally *tally, uint64_t size)
{
    tally->objects++;
    tally->bytes += size;
}

void tally_add_life(struct tally *tally, const struct tallied_life *life)
{
    if (life->has_died) {
        tally->deaths++;
        tally->lifetime += life->lifetime;
    }
    if (life->survives) {
        tally->immortals++;
        tally->immortal_bytes += life->size;
        tally->immortal_drag += (wide_sum)life->size * life->drag;
    }
    if (life->lives_at_peak)
        tally->live += life->size;
    if (life->dies_young)
        tally->young += life->size;
    tally->drag += (wide_sum)life->size * life->drag;
    tally->outlived[life->outlived] += life->size;
    if (life->is_shared)
        tally->shared += life->size;
}

/* The value by which a tally is ranked; 0: it has no rank, such as by lifetime with fewer than
 * `min_count` deaths. Mean lifetimes are in hundredths of a byte, plus 1. */
static wide_sum tally_rank(const struct tally *tally, enum ranking ranking, uint64_t min_count)
{
    switch (ranking) {
    case RANK_OBJECTS:
        return tally->objects;
    case RANK_BYTES:
        return tally->bytes;
    case RANK_LIFETIME:
        return tally->deaths >= min_count ? figures_mean(tally->lifetime, tally->deaths) + 1
                                          : 0;
    case RANK_DRAG:
        return tally->drag;
    case RANK_LIVE:
        return tally->live;
    case RANK_STACK:
        return tally->outlived[OUTLIVED_0];
    case RANK_YOUNG:
        return tally->young;
    case RANKINGS:
        break;
    }
    return 0;
}

static int order_ranked(const void *left, const void *right, void *context)
{
    const struct tally *a = *(const struct tally *const *)left;
    const struct tally *b = *(const struct tally *const *)right;
    enum ranking ranking = *(const enum ranking *)context;
    wide_sum rank_a = tally_rank(a, ranking, 1), rank_b = tally_rank(b, ranking, 1);
    if (rank_a != rank_b)
        return rank_a > rank_b ? -1 : 1;
    return (a->id > b->id) - (a->id < b->id);
}

enum status tallies_rank(const struct tallies *tallies, enum ranking ranking,
                         const struct ranking_choice *choice, const struct tally ***ranked,
                         size_t *count, struct failure *why)
{
    const struct tally **all = array_new(tallies->count, sizeof *all);
    if (!all)
        return fail_memory(why);
    size_t with_rank = 0;
    for (size_t i = 0; i < tallies->count; i++)
        if (tally_rank(&tallies->items[i], ranking, choice->min_count) > 0)
            all[with_rank++] = &tallies->items[i];
    qsort_r(all, with_rank, sizeof *all, order_ranked, &ranking);
    *count = with_rank < choice->top ? with_rank : choice->top;
    *ranked = all;
    return STATUS_OK;
}

void tallies_free(struct tallies *tallies)
{
    map_free(&tallies->index);
    free(tallies->items);
    *tallies = (struct tallies){.items = NULL};
}
