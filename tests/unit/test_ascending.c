/* SPDX-License-Identifier: MIT */
/* Compact lists of ascending numbers, and the position that a number has or would have. */
#include "base/packed.h"

#include "support.h"

static struct ascending numbers;
static struct ascending_index numbers_index;

static void finish(void)
{
    ascending_free(&numbers);
    ascending_index_free(&numbers_index);
}

TestSuite(ascending, .fini = finish);

static void add_all(const uint64_t *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ok(ascending_add(&numbers, list[i], &cause));
    ok(ascending_index_make(&numbers_index, &numbers, &cause));
}

/* Counts the numbers of the list below `number`, one by one. */
static size_t count_below(const uint64_t *list, size_t count, uint64_t number)
{
    size_t below = 0;
    while (below < count && list[below] < number)
        below++;
    return below;
}

static void expect_below(const uint64_t *list, size_t count, uint64_t number)
{
    must(ascending_below(&numbers, &numbers_index, number) == count_below(list, count, number),
         "%zu are below %" PRIu64 ", not %zu",
         ascending_below(&numbers, &numbers_index, number), number,
         count_below(list, count, number));
}

/* Expects the right positions of all numbers of the list, and of the numbers next to them. */
static void expect_all(const uint64_t *list, size_t count)
{
    expect_number(numbers.count, count);
    for (size_t i = 0; i < count; i++) {
        must(ascending_at(&numbers, i) == list[i], "number %zu is %" PRIu64 ", not %" PRIu64, i,
             ascending_at(&numbers, i), list[i]);
        expect_below(list, count, list[i]);
        expect_below(list, count, list[i] + (list[i] < UINT64_MAX));
        expect_below(list, count, list[i] - (list[i] > 0));
    }
    expect_below(list, count, 0);
    expect_below(list, count, UINT64_MAX);
}

Test(ascending, none)
{
    add_all(NULL, 0);
    expect_number(ascending_last(&numbers), 0);
    expect_all(NULL, 0);
}

Test(ascending, beyond_32_bits)
{
    static const uint64_t list[] = {0,
                                    0,
                                    7,
                                    UINT32_MAX,
                                    UINT64_C(1) << 32,
                                    (UINT64_C(1) << 32) + 5,
                                    (UINT64_C(1) << 32) + 5,
                                    UINT64_C(9) << 32,
                                    (UINT64_C(9) << 32) + UINT32_MAX,
                                    UINT64_MAX - 1,
                                    UINT64_MAX,
                                    UINT64_MAX};
    add_all(list, ITEMS(list));
    expect_all(list, ITEMS(list));
    expect_number(ascending_last(&numbers), UINT64_MAX);
}

Test(ascending, the_first_is_large)
{
    static const uint64_t list[] = {UINT64_C(5) << 40, (UINT64_C(5) << 40) + 1};
    add_all(list, ITEMS(list));
    expect_all(list, ITEMS(list));
}

/* One part of the index has most of the numbers, and most parts have none. */
Test(ascending, spread_unevenly)
{
    enum { COUNT = 3000 };
    uint64_t list[COUNT];
    for (uint64_t i = 0; i < COUNT; i++)
        list[i] = i < COUNT / 2 ? i / 3 : i * i * i * 1000;
    add_all(list, COUNT);
    expect_all(list, COUNT);
    cr_expect_leq(numbers_index.count, COUNT / 8 + 3);
}

Test(ascending, room_is_for_low_halves_alone)
{
    for (uint64_t i = 0; i < 100000; i++)
        ok(ascending_add(&numbers, i * 100000, &cause));
    expect_number(numbers.step_count, 2);
}
