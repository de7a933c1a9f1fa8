/* SPDX-License-Identifier: MIT */
/* Windows are found by a rolling hash, the sum of key * FACTOR^i modulo 2^64. FACTOR is fixed,
 * so that the same traces give the same anchors in each run. A hash table holds the windows of
 * a. A search in it ends after PROBES slots, so that no input makes it slow; a window that
 * finds no slot is no anchor. Single elements often repeat, in loops; a window of 32 elements
 * that repeats is itself a loop. */
#include "report/match/sequences.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FACTOR UINT64_C(0x9E3779B97F4A7C15)

enum { PROBES = 32, LONG_GAP = 1 << 16 };

/* Values of a slot that are no positions. */
#define NO_POSITION UINT32_MAX
#define SEVERAL (UINT32_MAX - 1)

struct anchor_slot {
    uint32_t a; /* NO_POSITION: the slot is free */
    uint32_t b; /* its position in b; NO_POSITION: not found yet; SEVERAL: a or b has it more
                   than once */
};

/* A pair of windows. */
struct anchor {
    uint32_t a, b;
    /* Its predecessor in the longest chain that ends here; NO_POSITION: none. */
    uint32_t before;
};

struct anchor_search {
    const struct sequence_gap *gap;
    size_t window;
    uint64_t leaving; /* FACTOR^(window - 1) */
    uint64_t sampled; /* a window is taken if its mixed hash has none of these bits */
    struct anchor_slot *slots;
    unsigned bits; /* there are 2^bits slots */
    struct anchor *anchors;
    size_t count;
    size_t capacity;
};

/* A window that moves along a sequence. */
struct rolling {
    const uint32_t *keys;
    size_t window;
    size_t at;
    size_t end; /* one past the beginning of the last window */
    uint64_t hash;
};

static struct rolling rolling_begin(const uint32_t *keys, size_t count, size_t window)
{
    struct rolling rolling = {keys, window, 0, count < window ? 0 : count - window + 1, 0};
    for (size_t i = 0; i < window && rolling.end > 0; i++)
        rolling.hash = rolling.hash * FACTOR + keys[i] + 1;
    return rolling;
}

static void rolling_next(struct rolling *rolling, uint64_t leaving)
{
    const uint32_t *first = rolling->keys + rolling->at++;
    if (rolling->at < rolling->end)
        rolling->hash = (rolling->hash - (first[0] + UINT64_C(1)) * leaving) * FACTOR +
                        first[rolling->window] + 1;
}

/* The slot of a window with this hash, or a free one for it; NULL: none of PROBES slots is
 * free. */
static struct anchor_slot *find_anchor_slot(const struct anchor_search *search, uint64_t mixed,
                                            const uint32_t *window)
{
    size_t mask = ((size_t)1 << search->bits) - 1, first = mixed >> (64 - search->bits);
    for (size_t i = 0; i < PROBES; i++) {
        struct anchor_slot *slot = &search->slots[(first + i) & mask];
        if (slot->a == NO_POSITION ||
            memcmp(search->gap->a + slot->a, window, search->window * sizeof *window) == 0)
            return slot;
    }
    return NULL;
}

/* Goes to the next window that is sampled and has a slot: sets *slot, and *at to the position
 * of the window. False: there are no more. */
static bool next_window(const struct anchor_search *search, struct rolling *rolling, size_t *at,
                        struct anchor_slot **slot)
{
    *slot = NULL;
    while (!*slot && rolling->at < rolling->end) {
        uint64_t mixed = hash_id(0, rolling->hash);
        *at = rolling->at;
        if ((mixed & search->sampled) == 0)
            *slot = find_anchor_slot(search, mixed, rolling->keys + *at);
        rolling_next(rolling, search->leaving);
    }
    return *slot;
}

static void enter_windows_of_a(struct anchor_search *search)
{
    const struct sequence_gap *gap = search->gap;
    struct rolling rolling = rolling_begin(gap->a, gap->count_a, search->window);
    struct anchor_slot *slot;
    for (size_t at; next_window(search, &rolling, &at, &slot);)
        if (slot->a == NO_POSITION)
            *slot = (struct anchor_slot){(uint32_t)at, NO_POSITION};
        else
            slot->b = SEVERAL;
}

static void find_windows_of_b(struct anchor_search *search)
{
    const struct sequence_gap *gap = search->gap;
    struct rolling rolling = rolling_begin(gap->b, gap->count_b, search->window);
    struct anchor_slot *slot;
    for (size_t at; next_window(search, &rolling, &at, &slot);)
        if (slot->a != NO_POSITION)
            slot->b = slot->b == NO_POSITION ? (uint32_t)at : SEVERAL;
}

/* Lists the windows that each sequence has once, ascending by their positions in a. */
static enum status list_anchors(struct anchor_search *search, struct failure *why)
{
    const struct sequence_gap *gap = search->gap;
    struct rolling rolling = rolling_begin(gap->a, gap->count_a, search->window);
    struct anchor_slot *slot;
    for (size_t at; next_window(search, &rolling, &at, &slot);) {
        if (slot->a != at || slot->b >= SEVERAL)
            continue;
        if (!ARRAY_RESERVE(search->anchors, search->capacity, search->count + 1))
            return fail_memory(why);
        search->anchors[search->count++] = (struct anchor){(uint32_t)at, slot->b, NO_POSITION};
    }
    return STATUS_OK;
}

/* The number of piles whose top is below `b`; tops ascend. */
static size_t piles_below(const struct anchor *anchors, const uint32_t *tops, size_t piles,
                          uint32_t b)
{
    size_t first = 0;
    BISECT(first, piles, at, anchors[tops[at]].b < b);
    return first;
}

/* Finds the longest ascending chain by patience sorting; *last becomes its last anchor. */
static enum status chain_anchors(struct anchor_search *search, uint32_t *last,
                                 struct failure *why)
{
    uint32_t *tops = array_new(search->count, sizeof *tops);
    size_t piles = 0;
    if (!tops)
        return fail_memory(why);
    for (size_t i = 0; i < search->count; i++) {
        struct anchor *anchor = &search->anchors[i];
        size_t pile = piles_below(search->anchors, tops, piles, anchor->b);
        anchor->before = pile > 0 ? tops[pile - 1] : NO_POSITION;
        tops[pile] = (uint32_t)i;
        piles += pile == piles;
    }
    *last = piles > 0 ? tops[piles - 1] : NO_POSITION;
    free(tops);
    return STATUS_OK;
}

/* Reverses the links of a chain, so that they lead forward; returns its first anchor. */
static uint32_t turn_chain(struct anchor *anchors, uint32_t last)
{
    uint32_t after = NO_POSITION;
    while (last != NO_POSITION) {
        uint32_t before = anchors[last].before;
        anchors[last].before = after;
        after = last;
        last = before;
    }
    return after;
}

/* Appends the windows of the chain with all that is equal before and after them. */
static enum status add_chain(struct paired_runs *runs, const struct anchor_search *search,
                             uint32_t first, struct failure *why)
{
    const struct sequence_gap *gap = search->gap;
    size_t done_a = 0, done_b = 0;
    enum status status = STATUS_OK;
    for (uint32_t i = first; i != NO_POSITION && status == STATUS_OK;
         i = search->anchors[i].before) {
        size_t a = search->anchors[i].a, b = search->anchors[i].b;
        if (a < done_a || b < done_b)
            continue;
        while (a > done_a && b > done_b && gap->a[a - 1] == gap->b[b - 1])
            a--, b--;
        struct sequence_gap rest = gap_from(gap, a, b);
        size_t length = gap_common_prefix(&rest);
        status = paired_runs_add(
            runs, (struct paired_run){rest.at_a, rest.at_b, (uint32_t)length}, why);
        done_a = a + length;
        done_b = b + length;
    }
    return status;
}

/* Makes the hash table, with at least twice as many slots as windows are expected. */
static enum status make_slots(struct anchor_search *search, struct failure *why)
{
    bool is_long = search->gap->count_a + search->gap->count_b >= LONG_GAP;
    size_t expected = search->gap->count_a / (is_long ? 8 : 1);
    search->sampled = is_long ? 7 : 0;
    search->bits = 1;
    while (((size_t)1 << search->bits) < expected * 2)
        search->bits++;
    search->slots = array_of_pages((size_t)1 << search->bits, sizeof *search->slots);
    if (!search->slots)
        return fail_memory(why);
    memset(search->slots, 0xFF, ((size_t)1 << search->bits) * sizeof *search->slots);
    search->leaving = 1;
    for (size_t i = 1; i < search->window; i++)
        search->leaving *= FACTOR;
    return STATUS_OK;
}

enum status anchors_add(struct paired_runs *runs, const struct sequence_gap *gap, size_t window,
                        struct failure *why)
{
    struct anchor_search search = {.gap = gap, .window = window};
    uint32_t last = NO_POSITION;
    if (gap->count_a < window || gap->count_b < window)
        return STATUS_OK;
    enum status status = make_slots(&search, why);
    if (status == STATUS_OK) {
        enter_windows_of_a(&search);
        find_windows_of_b(&search);
        status = list_anchors(&search, why);
    }
    free(search.slots);
    if (status == STATUS_OK)
        status = chain_anchors(&search, &last, why);
    if (status == STATUS_OK)
        status = add_chain(runs, &search, turn_chain(search.anchors, last), why);
    free(search.anchors);
    return status;
}
