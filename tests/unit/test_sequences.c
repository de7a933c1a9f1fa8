/* SPDX-License-Identifier: MIT */
/* Alignments compared with the longest common subsequence, by its table. */
#include "report/match/sequences.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

enum { SMALL = 150 };

static uint32_t draw(uint64_t *state, uint32_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*state >> 33) % below);
}

/* A gap that is two whole sequences. */
static struct sequence_gap whole(const uint32_t *a, size_t count_a, const uint32_t *b,
                                 size_t count_b)
{
    return (struct sequence_gap){a, b, count_a, count_b, 0, 0};
}

/* How many are paired; SIZE_MAX: something is that must not. */
static size_t paired_of(const struct sequence_gap *both)
{
    struct failure why = {.text = NULL};
    struct paired_runs runs = {.items = NULL};
    size_t paired = 0, end_a = 0, end_b = 0;
    bool is_right = sequences_align(&runs, both, NULL, &why) == STATUS_OK;
    for (size_t i = 0; i < runs.count && is_right; i++) {
        const struct paired_run run = runs.items[i];
        is_right = run.length > 0 && run.a >= end_a && run.b >= end_b &&
                   run.a + run.length <= both->count_a && run.b + run.length <= both->count_b &&
                   memcmp(both->a + run.a, both->b + run.b, run.length * sizeof *both->a) == 0;
        end_a = (size_t)run.a + run.length;
        end_b = (size_t)run.b + run.length;
        paired += run.length;
    }
    paired_runs_free(&runs);
    return is_right ? paired : SIZE_MAX;
}

static size_t longest_common(const struct sequence_gap *both)
{
    static size_t table[SMALL + 1][SMALL + 1];
    for (size_t i = 1; i <= both->count_a; i++)
        for (size_t j = 1; j <= both->count_b; j++) {
            size_t up = table[i - 1][j], left = table[i][j - 1];
            table[i][j] = both->a[i - 1] == both->b[j - 1] ? table[i - 1][j - 1] + 1
                          : up > left                      ? up
                                                           : left;
        }
    return table[both->count_a][both->count_b];
}

/* Of random sequences, and of those that are others with elements left out and put in, at least
 * 95 of 100 that can be paired are. */
Test(sequences, pairs_are_right_and_nearly_as_many_as_can_be)
{
    uint64_t state = 1;
    size_t all = 0, most = 0;
    for (unsigned round = 0; round < 2000; round++) {
        uint32_t a[SMALL], b[SMALL], kinds = 1 + draw(&state, round % 3 ? 6 : 60);
        size_t count_a = draw(&state, round % 2 ? 12 : SMALL / 2), count_b = 0;
        for (size_t i = 0; i < count_a; i++) {
            a[i] = draw(&state, kinds);
            if (round % 4 == 0 ? draw(&state, 8) == 0 : draw(&state, 2))
                b[count_b++] = draw(&state, kinds);
            if (round % 4 == 0 && draw(&state, 8) > 0)
                b[count_b++] = a[i];
        }
        const struct sequence_gap both = whole(a, count_a, b, count_b);
        size_t paired = paired_of(&both), longest = longest_common(&both);
        cr_assert(paired <= longest, "round %u: %zu of %zu", round, paired, longest);
        all += paired;
        most += longest;
    }
    cr_expect(all * 100 >= most * 95, "%zu of %zu", all, most);
}

enum { LARGE = 300000 };

/* What would take hours if the cost grew with the square. */
Test(sequences, large_ones_are_aligned_at_once, .timeout = 60)
{
    uint32_t *a = calloc(LARGE + 1, sizeof *a), *b = calloc(LARGE + 1, sizeof *b);
    uint64_t state = 1;
    size_t kept = 0;
    cr_assert(a && b);
    for (size_t i = 0; i < LARGE; i++)
        a[i] = draw(&state, 1000);

    b[0] = 5000;
    memcpy(b + 1, a, LARGE * sizeof *a);
    struct sequence_gap both = whole(a, LARGE, b, LARGE + 1);
    expect_number(paired_of(&both), LARGE);

    for (size_t i = 0; i < LARGE; i++)
        if (i % 10 > 0)
            b[kept++] = a[i];
    both = whole(a, LARGE, b, kept);
    expect_number(paired_of(&both), kept);

    memcpy(b, a + LARGE / 2, LARGE / 2 * sizeof *a);
    memcpy(b + LARGE / 2, a, LARGE / 2 * sizeof *a);
    both = whole(a, LARGE, b, LARGE);
    cr_expect(paired_of(&both) >= LARGE / 2 && paired_of(&both) <= LARGE);

    for (size_t i = 0; i < LARGE; i++)
        b[i] = a[i] + 5000;
    expect_number(paired_of(&both), 0);

    for (size_t i = 0; i < LARGE; i++)
        a[i] = b[i] = 7;
    both = whole(a, LARGE, b, LARGE / 2);
    expect_number(paired_of(&both), LARGE / 2);
    free(a);
    free(b);
}
