/* SPDX-License-Identifier: MIT */
#include "report/figures.h"
#include "support.h"

static unsigned gini_of(const uint64_t (*pairs)[2], size_t count)
{
    struct gini gini = {.weight = 0};
    for (size_t i = 0; i < count; i++)
        gini_add(&gini, pairs[i][0], pairs[i][1]);
    return gini_coefficient(&gini);
}

/* The coefficient of pairs of a number and its weight. */
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

/* If one of n has everything, the coefficient is (n - 1) / n. */
Test(gini, one_has_all)
{
    expect_number(GINI({0, 1}, {8, 1}), 5000);
    expect_number(GINI({0, 3}, {8, 1}), 7500);
    expect_number(GINI({0, 9999}, {8, 1}), 9999);
    expect_number(GINI({0, 99999}, {8, 1}), 10000);
}

/* The curve of 1, 2, 3 goes through 1/6 and 1/2. Twice the area under it is 7/9, so the
 * coefficient is 2/9. */
Test(gini, a_curve_by_hand)
{
    expect_number(GINI({1, 1}, {2, 1}, {3, 1}), 2222);
}

Test(gini, a_weight_is_as_many_numbers)
{
    expect_number(GINI({1, 2}, {7, 3}), GINI({1, 1}, {1, 1}, {7, 1}, {7, 1}, {7, 1}));
    expect_number(GINI({1, 2}, {7, 2}), 3750);
}

/* For two numbers of equal weight, it is their difference divided by twice their sum. */
Test(gini, is_rounded_half_up)
{
    expect_number(GINI({9999, 1}, {10001, 1}), 1);
    expect_number(GINI({10000, 1}, {10002, 1}), 0);
}

/* The product reaches 2^64 times 2^128. The bits that are dropped do not change the result. */
Test(gini, the_largest_numbers)
{
    uint64_t half = UINT64_MAX / 2;
    expect_number(GINI({0, half}, {UINT64_MAX, half}), 5000);
    expect_number(GINI({UINT64_MAX, half}, {UINT64_MAX, half}), 0);
    expect_number(GINI({0, UINT64_MAX - 1}, {UINT64_MAX, 1}), 10000);
}

enum { CARRY_ITEMS = 8 };

static uint64_t draw(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state ^ *state >> 33;
}

/* The coefficient by its definition in floating point, whose rounding errors are too small to
 * change the digits compared. */
static long double gini_in_floating_point(const uint64_t (*pairs)[2])
{
    long double weight = 0, sum = 0, area = 0;
    for (size_t i = 0; i < CARRY_ITEMS; i++) {
        long double before = sum;
        sum += (long double)pairs[i][0] * (long double)pairs[i][1];
        weight += (long double)pairs[i][1];
        area += (long double)pairs[i][1] * (before + sum);
    }
    return sum == 0 ? 0 : 1 - area / (weight * sum);
}

/* Small numbers have large weights and the reverse, so the area and the whole are about 2^128:
 * a lost carry or borrow between their halves would change the result much. */
Test(gini, carries_beyond_128_bits)
{
    uint64_t state = 7;
    for (unsigned trial = 0; trial < 4000; trial++) {
        unsigned weight_bits = trial % 2 ? 61 : 32, number_bits = trial % 2 ? 4 : 62;
        uint64_t pairs[CARRY_ITEMS][2], number = 0;
        for (size_t i = 0; i < CARRY_ITEMS; i++) {
            number += draw(&state) >> (67 - number_bits);
            pairs[i][0] = number;
            pairs[i][1] = draw(&state) >> (64 - weight_bits);
        }
        long double wanted = 10000 * gini_in_floating_point((const uint64_t(*)[2])pairs);
        long double found = gini_of((const uint64_t(*)[2])pairs, CARRY_ITEMS);
        must(found - wanted < 0.51L && wanted - found < 0.51L, "%Lf, not %Lf", found, wanted);
    }
}

Test(gini, is_in_ten_thousandths)
{
    struct gini gini = {.weight = 0};
    cr_expect_eq(gini_coefficient(&gini), 0);
    gini_add(&gini, 1, 1);
    gini_add(&gini, 2, 1);
    gini_add(&gini, 3, 1);
    cr_expect_eq(gini_coefficient(&gini), 2222);
    struct gini one = {.weight = 0};
    gini_add(&one, 0, UINT64_MAX - 1);
    gini_add(&one, 1, 1);
    cr_expect_eq(gini_coefficient(&one), 10000);
}
