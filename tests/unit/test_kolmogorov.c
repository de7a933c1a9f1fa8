/* SPDX-License-Identifier: MIT */
#include "report/match/site_list.h"
#include "support.h"

#include <math.h>

enum { KS_MOST = 50 };

/* Two samples, with the statistic and the probability that R computes. */
struct ks_case {
    uint64_t count_a, count_b;
    uint64_t a[KS_MOST], b[KS_MOST];
    double distance, p_value;
};

#include "kolmogorov_expected.h"

/* Walks through both samples value by value. */
static struct two_samples walk(const struct ks_case *samples)
{
    enum { VALUES_MOST = 1100 };
    struct two_samples test = {.count = {samples->count_a, samples->count_b}};
    for (uint64_t value = 0; value < VALUES_MOST; value++) {
        for (uint64_t i = 0; i < samples->count_a; i++)
            test.seen[0] += samples->a[i] == value;
        for (uint64_t i = 0; i < samples->count_b; i++)
            test.seen[1] += samples->b[i] == value;
        two_samples_step(&test);
    }
    return test;
}

/* Whether `number` is `exact` rounded to ten-thousandths, if `exact` may be off by `error` of
 * them. */
static bool is_rounded(uint64_t number, double exact, double error)
{
    return fabs((double)number - exact * 10000) <= 0.5 + error;
}

/* Below 1, R takes the first term of the series alone: an error of 2.65e-5 at most. */
Test(kolmogorov, distances_and_probabilities_are_those_of_r)
{
    for (size_t i = 0; i < ITEMS(ks_cases); i++) {
        struct two_samples test = walk(&ks_cases[i]);
        cr_expect(is_rounded(two_samples_distance(&test), ks_cases[i].distance, 1e-4),
                  "case %zu", i);
        cr_expect(is_rounded(two_samples_p_value(&test), ks_cases[i].p_value, 0.27), "case %zu",
                  i);
    }
}

/* A third is below 34 hundredths, and a quarter not below 25. */
Test(kolmogorov, bounds_are_exact)
{
    struct two_samples third = {.count = {3, 3}, .most = 3};
    struct two_samples quarter = {.count = {4, 4}, .most = 4};
    cr_expect(!two_samples_is_below(&third, 33));
    cr_expect(two_samples_is_below(&third, 34));
    cr_expect(!two_samples_is_below(&quarter, 25));
    cr_expect(two_samples_is_below(&quarter, 26));
}
