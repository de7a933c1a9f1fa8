/* SPDX-License-Identifier: MIT */
#include "report/gini.h"
#include "support.h"

static unsigned gini_of(const uint64_t (*pairs)[2], size_t count)
{
    struct gini gini = {.weight = 0};
    for (size_t i = 0; i < count; i++)
        gini_add(&gini, pairs[i][0], pairs[i][1]);
    return gini_coefficient(&gini);
}

/* Of numbers with weights. */
#define GINI(...)                                                                              \
    gini_of((const uint64_t[][2]){__VA_ARGS__}, ITEMS(((const uint64_t[][2]){__VA_ARGS__})))

Test(gini, nothing_and_nothing_but_zeros_are_equal)
{
    struct gini none = {.weight = 0};
    expect_number(gini_coefficient(&none), 0);
    expect_number(GINI({0, 1}, {0, 9}), 0);
    expect_number(GINI({5, 0}), 0);
}

Test(gini, equal_numbers)
{
    expect_number(GINI({3, 1}), 0);
    expect_number(GINI({3, 1}, {3, 1000}, {3, 7}), 0);
}

/* One of n has all: (n - 1) / n. */
Test(gini, one_has_all)
{
    expect_number(GINI({0, 1}, {8, 1}), 5000);
    expect_number(GINI({0, 3}, {8, 1}), 7500);
    expect_number(GINI({0, 9999}, {8, 1}), 9999);
    expect_number(GINI({0, 99999}, {8, 1}), 10000);
}

/* The curve of 1, 2, 3 goes through 1/6 and 1/2: the area is 7/18, so that 2/9 remain. */
Test(gini, a_curve_by_hand)
{
    expect_number(GINI({1, 1}, {2, 1}, {3, 1}), 2222);
}

Test(gini, a_weight_is_as_many_numbers)
{
    expect_number(GINI({1, 2}, {7, 3}), GINI({1, 1}, {1, 1}, {7, 1}, {7, 1}, {7, 1}));
    expect_number(GINI({1, 2}, {7, 2}), 3750);
}

/* Of two numbers with one weight: their difference by twice their sum. */
Test(gini, is_rounded_half_up)
{
    expect_number(GINI({9999, 1}, {10001, 1}), 1);
    expect_number(GINI({10000, 1}, {10002, 1}), 0);
}

/* The whole is 2^64 times 2^128 then: what halving drops changes nothing. */
Test(gini, the_largest_numbers)
{
    uint64_t half = UINT64_MAX / 2;
    expect_number(GINI({0, half}, {UINT64_MAX, half}), 5000);
    expect_number(GINI({UINT64_MAX, half}, {UINT64_MAX, half}), 0);
    expect_number(GINI({0, UINT64_MAX - 1}, {UINT64_MAX, 1}), 10000);
}

Test(gini, is_printed_with_four_decimals)
{
    char out[GINI_SIZE];
    struct gini gini = {.weight = 0};
    cr_expect_str_eq(gini_print(out, &gini), "0.0000");
    gini_add(&gini, 1, 1);
    gini_add(&gini, 2, 1);
    gini_add(&gini, 3, 1);
    cr_expect_str_eq(gini_print(out, &gini), "0.2222");
    struct gini one = {.weight = 0};
    gini_add(&one, 0, UINT64_MAX - 1);
    gini_add(&one, 1, 1);
    cr_expect_str_eq(gini_print(out, &one), "1.0000");
}
