/* SPDX-License-Identifier: MIT */
/* Patience diff, in rounds: anchors are found among long windows first, then among shorter ones
 * in the gaps that are left, and at last among single elements. What is left between anchors is
 * paired along edit paths of bounded cost. Long windows come first because elements of
 * allocation sequences repeat. Only an anchor after a long insertion leads past it. Pairs that
 * follow one another in both sequences are kept as one run, so that two equal sequences take
 * one run. */
#include "report/match/sequences.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Appends a run, which begins at or after the end of the last one in both sequences. If it
 * continues the last one in both, that becomes longer. A run of length 0 is ignored. */
static enum status paired_runs_add(struct paired_runs *runs, struct paired_run run,
                                   struct failure *why)
{
    if (run.length == 0)
        return STATUS_OK;
    struct paired_run *last = runs->count > 0 ? &runs->items[runs->count - 1] : NULL;
    if (last && last->a + last->length == run.a && last->b + last->length == run.b) {
        last->length += run.length;
        return STATUS_OK;
    }
    if (!ARRAY_RESERVE(runs->items, runs->capacity, runs->count + 1))
        return fail_memory(why);
    runs->items[runs->count++] = run;
    return STATUS_OK;
}

void paired_runs_free(struct paired_runs *runs)
{
    free(runs->items);
    *runs = (struct paired_runs){.items = NULL};
}

/* The gap without the first `a` elements of one sequence and the first `b` of the other. */
static struct sequence_gap gap_from(const struct sequence_gap *gap, size_t a, size_t b)
{
    return (struct sequence_gap){gap->a + a,
                                 gap->b + b,
                                 gap->count_a - a,
                                 gap->count_b - b,
                                 gap->at_a + (uint32_t)a,
                                 gap->at_b + (uint32_t)b};
}

static size_t gap_shorter(const struct sequence_gap *gap)
{
    return gap->count_a < gap->count_b ? gap->count_a : gap->count_b;
}

/* How many elements at the beginning of the gap are equal. */
static size_t gap_common_prefix(const struct sequence_gap *gap)
{
    size_t most = gap_shorter(gap), length = 0;
    while (length < most && gap->a[length] == gap->b[length])
        length++;
    return length;
}

/* How many elements at the end of the gap are equal. */
static size_t gap_common_suffix(const struct sequence_gap *gap)
{
    const uint32_t *end_a = gap->a + gap->count_a, *end_b = gap->b + gap->count_b;
    size_t most = gap_shorter(gap), length = 0;
    while (length < most && end_a[-1 - (ptrdiff_t)length] == end_b[-1 - (ptrdiff_t)length])
        length++;
    return length;
}

/* Anchors. Windows are found by a rolling hash, the sum of key * FACTOR^i modulo 2^64. FACTOR
 * is fixed, so that the same traces give the same anchors in each run. A hash table holds the
 * windows of a. A search in it ends after PROBES slots, so that no input makes it slow; a
 * window that finds no slot is no anchor. Single elements often repeat, in loops; a window of
 * 32 elements that repeats is itself a loop. */

/* The longest window of an anchor, in elements. */
enum { ANCHOR_WINDOW_MAX = 32 };

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
    for (uint32_t i = first; i != NO_POSITION; i = search->anchors[i].before) {
        size_t a = search->anchors[i].a, b = search->anchors[i].b;
        if (a < done_a || b < done_b)
            continue;
        while (a > done_a && b > done_b && gap->a[a - 1] == gap->b[b - 1])
            a--, b--;
        struct sequence_gap rest = gap_from(gap, a, b);
        size_t length = gap_common_prefix(&rest);
        TRY(paired_runs_add(runs, (struct paired_run){rest.at_a, rest.at_b, (uint32_t)length},
                            why));
        done_a = a + length;
        done_b = b + length;
    }
    return STATUS_OK;
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

/* Patience diff (Bram Cohen's) over windows of `window` elements, 1 to ANCHOR_WINDOW_MAX.
 * Windows that each sequence of the gap has exactly once are anchors. The largest number of
 * them that have the same order in both is paired, with what is equal before and after each. In
 * long gaps only about an eighth of the windows is looked at, so that memory stays below 16
 * bytes an element. Takes linear time, and O(n log n) for n anchors. Appends to *runs. */
static enum status anchors_add(struct paired_runs *runs, const struct sequence_gap *gap,
                               size_t window, struct failure *why)
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

/* Edit paths. Diagonal k holds the points with x - y = k, at which x elements of a and y of b
 * are done. reach[d][k] is the greatest x on it after d edits; the path back is found from
 * these. */

/* The most insertions and deletions in a search, before the best path so far is taken. */
enum { EDIT_COST_MAX = 64 };

enum { DIAGONALS = 2 * EDIT_COST_MAX + 3, MIDDLE = EDIT_COST_MAX + 1, NOWHERE = -1 };

/* The search from one starting point; edit_path_add starts again where it ends. */
struct edit_round {
    const struct sequence_gap *gap;
    int64_t reach[EDIT_COST_MAX + 1][DIAGONALS]; /* by cost and k + MIDDLE */
};

/* The x at which `cost` edits arrive on diagonal k, before equal elements are followed;
 * NOWHERE: they cannot. Sets *from to the diagonal that the last edit came from. */
static int64_t edit_start(const struct edit_round *round, int cost, int k, int *from)
{
    const struct sequence_gap *gap = round->gap;
    if (cost == 0) {
        *from = 0;
        return 0;
    }
    const int64_t *before = round->reach[cost - 1];
    int64_t deleted = k > -cost ? before[MIDDLE + k - 1] : NOWHERE;
    int64_t inserted = k < cost ? before[MIDDLE + k + 1] : NOWHERE;
    if (deleted != NOWHERE)
        deleted = deleted < (int64_t)gap->count_a ? deleted + 1 : NOWHERE;
    if (inserted - k > (int64_t)gap->count_b)
        inserted = NOWHERE;
    *from = inserted > deleted ? k + 1 : k - 1;
    return inserted > deleted ? inserted : deleted;
}

/* Follows equal elements along diagonal k from x on; returns the x where they end. */
static int64_t follow_equal(const struct sequence_gap *gap, int64_t x, int k)
{
    int64_t y = x - k;
    while (x < (int64_t)gap->count_a && y < (int64_t)gap->count_b && gap->a[x] == gap->b[y])
        x++, y++;
    return x;
}

/* The diagonal on which `cost` edits get farthest; of several, the innermost. */
static int farthest_diagonal(const struct edit_round *round, int cost)
{
    int best = 0;
    int64_t most = NOWHERE;
    for (int k = -cost; k <= cost; k += 2) {
        int64_t x = round->reach[cost][MIDDLE + k];
        int64_t done = x == NOWHERE ? NOWHERE : 2 * x - k;
        if (done > most || (done == most && abs(k) < abs(best))) {
            most = done;
            best = k;
        }
    }
    return best;
}

/* Makes edits until the end of the gap or EDIT_COST_MAX; returns their number. Sets *k to the
 * diagonal where they end. */
static int edit_forward(struct edit_round *round, int *k)
{
    const struct sequence_gap *gap = round->gap;
    const int64_t all_a = (int64_t)gap->count_a, all_b = (int64_t)gap->count_b;
    for (int cost = 0;; cost++) {
        for (*k = -cost; *k <= cost; *k += 2) {
            int from;
            int64_t x = edit_start(round, cost, *k, &from);
            if (x != NOWHERE)
                x = follow_equal(gap, x, *k);
            round->reach[cost][MIDDLE + *k] = x;
            if (x == all_a && x - *k == all_b)
                return cost;
        }
        if (cost == EDIT_COST_MAX) {
            *k = farthest_diagonal(round, cost);
            return cost;
        }
    }
}

/* Appends the runs of the path that ends on diagonal k after `cost` edits. */
static enum status add_path(struct paired_runs *runs, const struct edit_round *round, int cost,
                            int k, struct failure *why)
{
    const struct sequence_gap *gap = round->gap;
    struct paired_run path[EDIT_COST_MAX + 1];
    for (int step = cost; step >= 0; step--) {
        int from;
        int64_t start = edit_start(round, step, k, &from);
        path[step] =
            (struct paired_run){gap->at_a + (uint32_t)start, gap->at_b + (uint32_t)(start - k),
                                (uint32_t)(round->reach[step][MIDDLE + k] - start)};
        k = from;
    }
    for (int step = 0; step <= cost; step++)
        TRY(paired_runs_add(runs, path[step], why));
    return STATUS_OK;
}

/* The greedy algorithm of Myers ("An O(ND) Difference Algorithm and Its Variations",
 * Algorithmica 1986), which starts anew at the point that it reaches after EDIT_COST_MAX edits.
 * So it pairs a longest common subsequence of gaps that need no more edits, and some common
 * subsequence of others. Takes linear time: at most 2 * EDIT_COST_MAX + 1 steps for each
 * element of the gap. Appends to *runs. */
static enum status edit_path_add(struct paired_runs *runs, struct sequence_gap gap,
                                 struct failure *why)
{
    struct edit_round *round = malloc(sizeof *round);
    enum status status = round ? STATUS_OK : fail_memory(why);
    while (status == STATUS_OK && gap.count_a > 0 && gap.count_b > 0) {
        int k;
        round->gap = &gap;
        int cost = edit_forward(round, &k);
        int64_t x = round->reach[cost][MIDDLE + k];
        status = add_path(runs, round, cost, k, why);
        gap = gap_from(&gap, (size_t)x, (size_t)(x - k));
    }
    free(round);
    return status;
}

/* Pairs what is equal at the beginning and at the end of a gap, and fills what lies between: by
 * anchors, which are windows of `window` elements, or, if that is 0, along edit paths. */
static enum status align_gap(struct paired_runs *runs, const struct sequence_gap *gap,
                             size_t window, struct failure *why)
{
    size_t prefix = gap_common_prefix(gap);
    const struct paired_run first = {gap->at_a, gap->at_b, (uint32_t)prefix};
    struct sequence_gap rest = gap_from(gap, prefix, prefix);
    size_t suffix = gap_common_suffix(&rest);
    rest.count_a -= suffix;
    rest.count_b -= suffix;
    TRY(paired_runs_add(runs, first, why));
    if (rest.count_a > 0 && rest.count_b > 0)
        TRY(window > 0 ? anchors_add(runs, &rest, window, why)
                       : edit_path_add(runs, rest, why));
    const struct paired_run last = {rest.at_a + (uint32_t)rest.count_a,
                                    rest.at_b + (uint32_t)rest.count_b, (uint32_t)suffix};
    return paired_runs_add(runs, last, why);
}

/* Fills all gaps between the runs `known`; *runs gets these and what is found in the gaps. */
static enum status align_gaps(struct paired_runs *runs, const struct paired_runs *known,
                              const struct sequence_gap *both, size_t window,
                              const struct interrupt *interrupt, struct failure *why)
{
    size_t done_a = 0, done_b = 0;
    for (size_t i = 0; i <= known->count; i++) {
        struct paired_run next = {(uint32_t)both->count_a, (uint32_t)both->count_b, 0};
        if (i < known->count)
            next = known->items[i];
        struct sequence_gap gap = gap_from(both, done_a, done_b);
        gap.count_a = next.a - done_a;
        gap.count_b = next.b - done_b;
        TRY(align_gap(runs, &gap, window, why));
        TRY(paired_runs_add(runs, next, why));
        TRY(interrupt_check(interrupt, why));
        done_a = (size_t)next.a + next.length;
        done_b = (size_t)next.b + next.length;
    }
    return STATUS_OK;
}

enum status sequences_align(struct paired_runs *runs, const struct sequence_gap *both,
                            const struct interrupt *interrupt, struct failure *why)
{
    static const size_t windows[] = {ANCHOR_WINDOW_MAX, 8, 1, 0};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sizeof windows / sizeof *windows && status == STATUS_OK; i++) {
        struct paired_runs known = *runs;
        *runs = (struct paired_runs){.items = NULL};
        status = align_gaps(runs, &known, both, windows[i], interrupt, why);
        paired_runs_free(&known);
    }
    return status;
}
