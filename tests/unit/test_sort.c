/* SPDX-License-Identifier: MIT */
#include "merlin/sort.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static void sort(node_t *nodes, size_t count, const uint64_t *keys)
{
    uint64_t max_key = 0;
    for (size_t i = 0; i < count; i++)
        if (keys[nodes[i]] > max_key)
            max_key = keys[nodes[i]];
    ok(sort_nodes(nodes, count, keys, max_key, NULL, &cause));
}

static void expect_sorted(const node_t *nodes, const node_t *expected, size_t count)
{
    for (size_t i = 0; i < count; i++)
        expect_number(nodes[i], expected[i]);
}

Test(sort, nothing_is_sorted_already)
{
    ok(sort_nodes(NULL, 0, NULL, 0, NULL, &cause));
    node_t one = 7;
    static const uint64_t keys[8] = {[7] = UINT64_MAX};
    sort(&one, 1, keys);
    expect_number(one, 7);
}

Test(sort, ascends_by_the_keys_of_nodes)
{
    static const uint64_t keys[] = {99, 30, 10, 20};
    node_t nodes[] = {1, 2, 3};
    static const node_t expected[] = {2, 3, 1};
    sort(nodes, 3, keys);
    expect_sorted(nodes, expected, 3);
}

Test(sort, nodes_with_the_same_key_keep_their_order)
{
    static const uint64_t keys[] = {5, 2, 5, 2, 5, 2};
    node_t nodes[] = {4, 3, 0, 5, 2, 1};
    static const node_t expected[] = {3, 5, 1, 4, 0, 2};
    sort(nodes, 6, keys);
    expect_sorted(nodes, expected, 6);
}

Test(sort, keys_that_are_all_0_change_nothing)
{
    static const uint64_t keys[4] = {0};
    node_t nodes[] = {2, 1, 3};
    static const node_t expected[] = {2, 1, 3};
    sort(nodes, 3, keys);
    expect_sorted(nodes, expected, 3);
}

Test(sort, every_bit_of_a_key_counts)
{
    static uint64_t keys[65];
    node_t nodes[64];
    for (node_t bit = 0; bit < 64; bit++) {
        keys[bit] = UINT64_C(1) << bit;
        nodes[(bit * 37 + 11) % 64] = bit;
    }
    sort(nodes, 64, keys);
    for (node_t bit = 0; bit < 64; bit++)
        expect_number(nodes[bit], bit);
}

Test(sort, the_largest_keys_are_distinguished)
{
    static const uint64_t keys[] = {UINT64_MAX, UINT64_MAX - 1, 0, UINT64_C(1) << 63,
                                    UINT64_MAX};
    node_t nodes[] = {0, 1, 2, 3, 4};
    static const node_t expected[] = {2, 3, 1, 0, 4};
    sort(nodes, 5, keys);
    expect_sorted(nodes, expected, 5);
}

Test(sort, the_largest_key_may_be_below_its_bound)
{
    static const uint64_t keys[] = {3, 1, 2};
    node_t nodes[] = {0, 1, 2};
    static const node_t expected[] = {1, 2, 0};
    ok(sort_nodes(nodes, 3, keys, UINT64_MAX, NULL, &cause));
    expect_sorted(nodes, expected, 3);
}

/* Sorts `count` nodes by random keys of `bits` bits, and checks the result. */
static void expect_random_sorted(size_t count, unsigned bits)
{
    uint64_t *keys = malloc(count * sizeof *keys), seed = bits;
    node_t *nodes = malloc(count * sizeof *nodes);
    cr_assert(keys && nodes);
    for (node_t i = 0; i < count; i++) {
        keys[i] = random_below(&seed, UINT64_MAX) >> (64 - bits);
        nodes[i] = i;
    }
    sort(nodes, count, keys);
    /* If the pairs of key and former position strictly ascend, the nodes are sorted, the sort
     * is stable, and each node is there once. */
    for (size_t i = 1; i < count; i++) {
        node_t a = nodes[i - 1], b = nodes[i];
        must(keys[a] < keys[b] || (keys[a] == keys[b] && a < b), "places %zu and %zu", i - 1,
             i);
    }
    free(keys);
    free(nodes);
}

Test(sort, random_keys_of_any_width)
{
    static const unsigned widths[] = {1, 8, 11, 12, 22, 23, 33, 44, 55, 56, 63, 64};
    for (size_t i = 0; i < ITEMS(widths); i++)
        expect_random_sorted(100000, widths[i]);
}

Test(sort, so_many_that_they_are_visited_in_parts)
{
    expect_random_sorted(2500000, 20);
}

Test(sort, stops_when_asked_to)
{
    struct interrupt interrupt = {.signal = 15, .descriptor = -1};
    uint64_t keys[] = {2, 1, 0};
    node_t nodes[] = {0, 1, 2};
    cr_expect_eq(sort_nodes(nodes, 3, keys, 2, &interrupt, &cause), STATUS_INTERRUPTED);
}
