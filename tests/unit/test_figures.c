/* SPDX-License-Identifier: MIT */
#include "report/figures.h"
#include "report/form/value.h"
#include "support.h"

Test(figures, shares_are_rounded_half_up)
{
    expect_number(figures_share(0, 3), 0);
    expect_number(figures_share(1, 3), 3333);
    expect_number(figures_share(2, 3), 6667);
    expect_number(figures_share(1, 20000), 1);
    expect_number(figures_share(1, 20001), 1);
    expect_number(figures_share(29999, 30000), 9999);
    expect_number(figures_share(UINT64_MAX, UINT64_MAX), 10000);
    wide_sum large = (wide_sum)1 << 127;
    expect_number(figures_share(large / 3, large), 3333);
    expect_number(figures_share(1, large), 1);
    expect_number(figures_share(large - 1, large), 9999);
    expect_number(figures_share(0, 0), 0);
}

Test(figures, shares_are_printed_with_two_decimals)
{
    char out[VALUE_SIZE];
    const struct value some = value_share(1, 1000), all = value_share(7, 7);
    cr_expect_str_eq(value_digits(out, &some), "0.10");
    cr_expect_str_eq(value_digits(out, &all), "100.00");
    expect_number(value_share(0, 0).kind, VALUE_NOTHING);
}

Test(figures, whole_means_are_rounded_once)
{
    cr_expect_eq(figures_whole_mean(3, 2), 2);
    cr_expect_eq(figures_whole_mean(62, 125), 0); /* 0.496, and 0.50 in hundredths */
    cr_expect_eq(figures_whole_mean((wide_sum)UINT64_MAX * 3 + 2, 4),
                 (wide_sum)UINT64_MAX / 4 * 3 + 3);
}

Test(figures, wide_shares_are_rounded)
{
    const wide_sum half = (wide_sum)1 << 127;
    expect_number(figures_wide_share(2, 3, 1000), 667);
    expect_number(figures_wide_share(1, 2001, 1000), 0);
    expect_number(figures_wide_share(1, 2000, 1000), 1);
    expect_number(figures_wide_share(0, 0, 1000), 0);
    expect_number(figures_wide_share(half / 3 * 2, half, 1000), 667);
    expect_number(figures_wide_share(half, half, 1000000), 1000000);
}

Test(figures, quantiles_by_nearest_rank)
{
    uint64_t numbers[] = {50, 20, 40, 10, 30};
    struct distribution five = figures_describe(numbers, ITEMS(numbers));
    expect_number(five.min, 10);
    expect_number(five.median, 30);
    expect_number(five.p90, 50);
    expect_number(five.max, 50);
    expect_number(five.mean, 30);
    uint64_t pair[] = {8, 1};
    struct distribution two = figures_describe(pair, ITEMS(pair));
    expect_number(two.median, 1);
    expect_number(two.mean, 4);
    expect_number(two.mean_hundredths, 50);
    expect_number(figures_describe(pair, 0).count, 0);
}

Test(figures, sums_do_not_overflow)
{
    uint64_t numbers[] = {UINT64_MAX, UINT64_MAX, UINT64_MAX - 1};
    struct distribution distribution = figures_describe(numbers, ITEMS(numbers));
    expect_number(distribution.mean, UINT64_MAX - 1);
    expect_number(distribution.mean_hundredths, 67);
    char out[WIDE_SIZE];
    cr_expect_str_eq(figures_format_wide(out, (wide_sum)UINT64_MAX * 10),
                     "184467440737095516150");
    cr_expect_str_eq(figures_format_wide(out, 0), "0");
}

/* Compares the quantiles of many numbers with those that counting finds. */
Test(figures, many_numbers_of_every_width)
{
    enum { COUNT = 20000 };
    static uint64_t numbers[COUNT], kept[COUNT];
    uint64_t state = 1;
    for (size_t i = 0; i < COUNT; i++) {
        unsigned width = (unsigned)random_below(&state, 64);
        numbers[i] = kept[i] = random_below(&state, UINT64_MAX) >> width;
    }
    struct distribution found = figures_describe(numbers, COUNT);
    const uint64_t quantiles[] = {found.min, found.median, found.p90, found.p99, found.max};
    static const size_t ranks[] = {1, COUNT / 2, COUNT / 10 * 9, COUNT / 100 * 99, COUNT};
    for (size_t i = 0; i < ITEMS(ranks); i++) {
        size_t below = 0, at_most = 0;
        for (size_t j = 0; j < COUNT; j++) {
            below += kept[j] < quantiles[i];
            at_most += kept[j] <= quantiles[i];
        }
        cr_expect(below < ranks[i] && ranks[i] <= at_most, "rank %zu", ranks[i]);
    }
}
