/* SPDX-License-Identifier: MIT */
/* The area is a sum of trapezoids, exact in 192 bits: a weight has 64 bits, a weighted sum 128.
 * Only the division at the end drops bits, where there are more than 113. */
#include "report/gini.h"

#include <stdio.h>

/* A number of 192 bits. */
struct gini_wide {
    wide_sum low;
    uint64_t high;
};

static struct gini_wide multiply(uint64_t weight, wide_sum sum)
{
    wide_sum low = (wide_sum)weight * (uint64_t)sum;
    wide_sum upper = (wide_sum)weight * (uint64_t)(sum >> 64);
    struct gini_wide product = {low + (upper << 64), (uint64_t)(upper >> 64)};
    product.high += product.low < low;
    return product;
}

static void add_area(struct gini *gini, struct gini_wide area)
{
    gini->area_low += area.low;
    gini->area_high += area.high + (gini->area_low < area.low);
}

void gini_add(struct gini *gini, uint64_t number, uint64_t weight)
{
    add_area(gini, multiply(weight, gini->sum));
    gini->sum += (wide_sum)number * weight;
    gini->weight += weight;
    add_area(gini, multiply(weight, gini->sum));
}

static struct gini_wide halve(struct gini_wide wide)
{
    return (struct gini_wide){wide.low >> 1 | (wide_sum)(wide.high & 1) << 127, wide.high >> 1};
}

unsigned gini_coefficient(const struct gini *gini)
{
    struct gini_wide whole = multiply(gini->weight, gini->sum);
    struct gini_wide part = {whole.low - gini->area_low, whole.high - gini->area_high};
    part.high -= whole.low < gini->area_low;
    while (whole.high > 0 || whole.low >> 113 != 0) {
        whole = halve(whole);
        part = halve(part);
    }
    if (whole.low == 0)
        return 0;
    return (unsigned)((part.low * 10000 + whole.low / 2) / whole.low);
}

const char *gini_print(char *out, const struct gini *gini)
{
    unsigned coefficient = gini_coefficient(gini);
    snprintf(out, GINI_SIZE, "%u.%04u", coefficient / 10000, coefficient % 10000);
    return out;
}
