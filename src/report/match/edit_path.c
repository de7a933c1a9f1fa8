/* SPDX-License-Identifier: MIT */
/* Diagonal k holds the points with x - y = k, at which x elements of a and y of b are done.
 * reach[d][k] is the greatest x on it after d edits; the path back is found from these. */
#include "report/match/sequences.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>

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
    enum status status = STATUS_OK;
    for (int step = 0; step <= cost && status == STATUS_OK; step++)
        status = paired_runs_add(runs, path[step], why);
    return status;
}

enum status edit_path_add(struct paired_runs *runs, struct sequence_gap gap,
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
