/* SPDX-License-Identifier: MIT */
/* The distance is exact: a fraction whose denominator is the product of both counts. The
 * probability has two series; where one converges slowly, the other converges at once
 * (Marsaglia, Tsang and Wang, "Evaluating Kolmogorov's Distribution", Journal of Statistical
 * Software 8(18), 2003, has both). */
#include "report/match/kolmogorov.h"

#include <math.h>

static wide_sum scale_of(const struct two_samples *samples)
{
    return (wide_sum)samples->count[0] * samples->count[1];
}

void two_samples_step(struct two_samples *samples)
{
    wide_sum a = (wide_sum)samples->seen[0] * samples->count[1];
    wide_sum b = (wide_sum)samples->seen[1] * samples->count[0];
    wide_sum distance = a > b ? a - b : b - a;
    if (distance > samples->most)
        samples->most = distance;
}

uint64_t two_samples_distance(const struct two_samples *samples)
{
    wide_sum scale = scale_of(samples);
    return (uint64_t)((samples->most * 20000 + scale) / (scale * 2));
}

bool two_samples_is_below(const struct two_samples *samples, unsigned hundredths)
{
    return samples->most * 100 < scale_of(samples) * hundredths;
}

/* The probability that a value of the limiting distribution is above `x`. */
static double kolmogorov_above(double x)
{
    const double pi = 3.14159265358979323846;
    enum { TERMS = 20 };
    double sum = 0;
    if (x <= 0)
        return 1;
    if (x < 1) {
        for (int k = 1; k <= TERMS; k++)
            sum += exp(-(2 * k - 1) * (2 * k - 1) * pi * pi / (8 * x * x));
        return 1 - sqrt(2 * pi) / x * sum;
    }
    for (int k = TERMS; k >= 1; k--)
        sum += (k % 2 ? 2 : -2) * exp(-2.0 * k * k * x * x);
    return sum;
}

uint64_t two_samples_p_value(const struct two_samples *samples)
{
    double a = (double)samples->count[0], b = (double)samples->count[1];
    double distance = (double)samples->most / (a * b);
    double p = kolmogorov_above(distance * sqrt(a * b / (a + b)));
    return (uint64_t)(p * 10000 + 0.5);
}
